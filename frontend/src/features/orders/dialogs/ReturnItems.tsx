import { useInvoke, usePreview } from '../../../asking/useInvoke';
import type { Response } from '../../../door/capabilities';
import { formatMoney } from '../../../language/format';
import { i18n } from '../../../language/i18n';
import { FormDialog } from '../../../ui/form/FormDialog';
import { useLasting } from '../../../ui/window/useKept';
import { lineName, type Picked, paidBy, pickedLines } from '../items';
import { MethodChoice } from './MethodChoice';
import { PickQuantities } from './PickQuantities';
import { Preview } from './Preview';

/** Notes that items come back, and what is due for them; the refund is recorded when they are here. */
export function ReturnItems({ order, onClose }: { order: Response<'order.get'>; onClose: () => void }) {
  const [picked, setPicked] = useLasting<Picked>(`returned of ${order.id}`, {});
  const [paymentMethodId, setMethod] = useLasting(`refund of ${order.id}`, paidBy(order));
  const lines = pickedLines(order.lines, picked);
  const args = lines.length > 0 && paymentMethodId ? { orderId: order.id, lines, paymentMethodId } : undefined;
  const { data, error } = usePreview('order.return', args, 'OrderActions');
  const request = useInvoke('order.return', { source: 'OrderActions', once: `returned of ${order.id}` });
  return (
    <FormDialog
      title={i18n._('Return items of order {order}', { order: order.id })}
      submit={i18n._('Note the return')}
      size="md"
      disabledReason={args ? error?.message : i18n._('Choose what comes back.')}
      call={request}
      onSubmit={() => args && request.mutate(args, { onSuccess: onClose })}
      onClose={onClose}
    >
      <PickQuantities
        label={i18n._('Items that come back')}
        lines={order.lines.filter(({ returned }) => !returned).map((line) => ({ ...line, name: lineName(line) }))}
        picked={picked}
        onChange={setPicked}
      />
      <MethodChoice
        label={i18n._('Refund to')}
        methods={order.savedPaymentMethods}
        value={paymentMethodId}
        onChange={setMethod}
      />
      <Preview
        text={args && data && i18n._('{amount} due when it is here.', { amount: formatMoney(data.refundDue) })}
        error={args ? error : null}
      />
    </FormDialog>
  );
}
