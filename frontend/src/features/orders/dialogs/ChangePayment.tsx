import { Radio, Stack } from '@mantine/core';
import type { Response } from '../../../bridge/capabilities';
import { formatMoney } from '../../../language/format';
import { i18n } from '../../../language/i18n';
import { useInvoke, usePreview } from '../../../queries/useInvoke';
import { ErrorAt } from '../../../ui/form/FieldErrors';
import { FormDialog } from '../../../ui/form/FormDialog';
import { useForm } from '../../../ui/form/useForm';
import { MethodChoice } from './MethodChoice';
import { Preview } from './Preview';

/** Pays an order another way; both are recorded, no money moves. */
export function ChangePayment({ order, onClose }: { order: Response<'order.get'>; onClose: () => void }) {
  const key = `payment of ${order.id}`;
  const { values, change } = useForm<{ paymentMethodId?: string; paymentId?: string }>(key, {});
  const { paymentMethodId, paymentId } = values;
  const standing = order.payments.filter(({ left }) => left);
  const several = standing.length > 1;
  const args =
    paymentMethodId && (paymentId || !several) ? { orderId: order.id, paymentMethodId, paymentId } : undefined;
  const { data, error } = usePreview('order.changePayment', args, 'OrderActions');
  const pay = useInvoke('order.changePayment', { source: 'OrderActions', once: key });
  const told =
    data &&
    [
      i18n._('{amount} charged to {method}', { amount: formatMoney(data.paid.amount), method: data.paid.label }),
      ...data.refunds.map(({ amount, label }) =>
        i18n._('{amount} refunded to {method}', { amount: formatMoney(amount), method: label }),
      ),
    ].join(', ');
  return (
    <FormDialog
      title={i18n._('Payment of order {order}', { order: order.id })}
      submit={i18n._('Change the payment')}
      disabledReason={args ? error?.message : i18n._('Choose how it is paid.')}
      call={pay}
      onSubmit={() => args && pay.mutate(args, { onDone: onClose })}
      onClose={onClose}
    >
      {several && (
        <ErrorAt pointer="/paymentId">
          <Radio.Group
            label={i18n._('Payment')}
            size="xs"
            value={paymentId ?? null}
            onChange={(id) => change({ paymentId: id })}
          >
            <Stack gap={8} mt={6}>
              {standing.map(({ id, label, left }) => (
                <Radio key={id} size="xs" value={id} label={left && `${formatMoney(left)}, ${label}`} />
              ))}
            </Stack>
          </Radio.Group>
        </ErrorAt>
      )}
      <MethodChoice
        label={i18n._('Pay by')}
        methods={order.savedPaymentMethods}
        value={paymentMethodId}
        onChange={(id) => change({ paymentMethodId: id })}
      />
      <Preview text={told && `${told}.`} error={error} />
    </FormDialog>
  );
}
