import { TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { Response } from '../../../bridge/capabilities';
import { i18n } from '../../../language/i18n';
import { useInvoke } from '../../../queries/useInvoke';
import { ErrorAt } from '../../../ui/form/FieldErrors';
import { FormDialog } from '../../../ui/form/FormDialog';
import { useForm } from '../../../ui/form/useForm';

/** Sends the receipt of an order by mail: to the customer, or where it is wanted. */
export function SendReceipt({ order, onClose }: { order: Response<'order.get'>; onClose: () => void }) {
  const { values, change } = useForm(undefined, { to: order.customer?.email ?? '' });
  const { to } = values;
  const send = useInvoke('email.sendReceipt', { source: 'SendReceipt', once: `receipt of ${order.id}` });
  const tell = (recipient: string) =>
    notifications.show({
      message: i18n._('The receipt of {order} is sent to {recipient}.', { order: order.id, recipient }),
      color: 'pine',
      withBorder: true,
    });
  return (
    <FormDialog
      title={i18n._('Receipt of order {order}', { order: order.id })}
      submit={i18n._('Send the receipt')}
      disabledReason={to.trim() === '' ? i18n._('Fill in: To.') : undefined}
      call={send}
      onSubmit={() =>
        send.mutate({ orderId: order.id, to: to.trim() }, { onSuccess: ({ data }) => tell(data.to), onDone: onClose })
      }
      onClose={onClose}
    >
      <ErrorAt pointer="/to">
        <TextInput
          data-autofocus
          label={i18n._('To')}
          inputMode="email"
          value={to}
          onChange={(event) => change({ to: event.currentTarget.value })}
        />
      </ErrorAt>
    </FormDialog>
  );
}
