import { Radio, Stack } from '@mantine/core';
import { useState } from 'react';
import type { Response } from '../../../bridge/capabilities';
import { formatMoney } from '../../../language/format';
import { i18n } from '../../../language/i18n';
import { useInvoke, usePreview } from '../../../queries/useInvoke';
import { ErrorAt } from '../../../ui/form/FieldErrors';
import { FormDialog } from '../../../ui/form/FormDialog';
import { MethodChoice } from './MethodChoice';
import { Preview } from './Preview';

/** Pays an order another way; both are recorded, no money moves. */
export function ChangePayment({ order, onClose }: { order: Response<'order.get'>; onClose: () => void }) {
  const [paymentMethodId, setMethod] = useState<string>();
  const [paymentId, setPayment] = useState<string>();
  const standing = order.payments.filter(({ left }) => left);
  const several = standing.length > 1;
  const args =
    paymentMethodId && (paymentId || !several) ? { orderId: order.id, paymentMethodId, paymentId } : undefined;
  const { data, error } = usePreview('order.changePayment', args, 'OrderActions');
  const change = useInvoke('order.changePayment', { source: 'OrderActions', once: `payment of ${order.id}` });
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
      call={change}
      onSubmit={() => args && change.mutate(args, { onDone: onClose })}
      onClose={onClose}
    >
      {several && (
        <ErrorAt pointer="/paymentId">
          <Radio.Group label={i18n._('Payment')} size="xs" value={paymentId ?? null} onChange={setPayment}>
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
        onChange={setMethod}
      />
      <Preview text={told && `${told}.`} error={error} />
    </FormDialog>
  );
}
