import { useState } from 'react';
import type { Response } from '../../bus/client';
import { useInvoke, usePreview } from '../../bus/hooks';
import { FormDialog } from '../../ui/FormDialog';
import { formatMoney } from '../../ui/format';
import { MethodChoice } from './MethodChoice';
import { Preview } from './Preview';

/** Pays an order another way; both are recorded, no money moves. */
export function ChangePayment({ order, onClose }: { order: Response<'order.get'>; onClose: () => void }) {
  const [paymentMethodId, setMethod] = useState<string>();
  const args = paymentMethodId ? { orderId: order.id, paymentMethodId } : undefined;
  const { data, error } = usePreview('order.changePayment', args, 'OrderActions');
  const change = useInvoke('order.changePayment', { source: 'OrderActions', once: true });
  const told =
    data &&
    [
      `${formatMoney(data.paid.amount)} charged to ${data.paid.label}`,
      ...data.refunds.map(({ amount, label }) => `${formatMoney(amount)} refunded to ${label}`),
    ].join(', ');
  return (
    <FormDialog
      title={`Payment of order ${order.id}`}
      submit="Change the payment"
      disabledReason={args ? error?.message : 'Choose how it is paid.'}
      pending={change.isPending}
      error={change.error}
      onSubmit={() => args && change.mutate(args, { onSuccess: onClose })}
      onClose={onClose}
    >
      <MethodChoice label="Pay by" methods={order.savedPaymentMethods} value={paymentMethodId} onChange={setMethod} />
      <Preview text={told && `${told}.`} error={error} />
    </FormDialog>
  );
}
