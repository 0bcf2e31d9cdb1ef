import { Checkbox } from '@mantine/core';
import type { Response } from '../../../bridge/capabilities';
import { i18n } from '../../../language/i18n';
import { useInvoke, usePreview } from '../../../queries/useInvoke';
import { FormDialog } from '../../../ui/form/FormDialog';
import { useForm } from '../../../ui/form/useForm';
import { differenceText, openRequest } from '../items';
import { Preview } from './Preview';

/** Takes back what came of an exchange, and records the difference that was agreed on. */
export function ReceiveExchange({ order, onClose }: { order: Response<'order.get'>; onClose: () => void }) {
  const key = `exchange of ${order.id}`;
  const { values, change } = useForm(key, { restock: false });
  const args = { orderId: order.id, ...values };
  const { data, error } = usePreview('order.receiveExchange', args, 'OrderActions');
  const receive = useInvoke('order.receiveExchange', { source: 'OrderActions', once: key });
  return (
    <FormDialog
      title={i18n._('Receive the exchange of order {order}', { order: order.id })}
      submit={i18n._('Record the exchange')}
      disabledReason={error?.message}
      call={receive}
      onSubmit={() => receive.mutate(args, { onDone: onClose })}
      onClose={onClose}
    >
      <Checkbox
        data-autofocus
        size="xs"
        label={i18n._('It can be sold again: back into stock')}
        checked={values.restock}
        onChange={(event) => change({ restock: event.currentTarget.checked })}
      />
      <Preview text={data && differenceText(data.difference, openRequest(order)?.label)} error={error} />
    </FormDialog>
  );
}
