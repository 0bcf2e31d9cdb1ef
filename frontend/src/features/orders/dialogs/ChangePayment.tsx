import { useState } from 'react';
import type { Response } from '../../../bridge/capabilities';
import { formatMoney } from '../../../language/format';
import { i18n } from '../../../language/i18n';
import { useInvoke, usePreview } from '../../../queries/useInvoke';
import { FormDialog } from '../../../ui/form/FormDialog';
import { MethodChoice } from './MethodChoice';
import { Preview } from './Preview';

/** Pays an order another way; both are recorded, no money moves. */
export function ChangePayment({ order, onClose }: { order: Response<'order.get'>; onClose: () => void }) {
  const [paymentMethodId, setMethod] = useState<string>();
  const args = paymentMethodId ? { orderId: order.id, paymentMethodId } : undefined;
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
