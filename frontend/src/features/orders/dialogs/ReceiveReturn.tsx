import { Checkbox } from '@mantine/core';
import type { Response } from '../../../bridge/capabilities';
import { formatMoney } from '../../../language/format';
import { i18n } from '../../../language/i18n';
import { useInvoke, usePreview } from '../../../queries/useInvoke';
import { FormDialog } from '../../../ui/form/FormDialog';
import { useLasting } from '../../../ui/window/useKept';
import { lineName, openRequest, type Picked, pickedLines } from '../items';
import { PickQuantities } from './PickQuantities';
import { Preview } from './Preview';

/** Takes back what really came of a return, and records the refund for it. */
export function ReceiveReturn({ order, onClose }: { order: Response<'order.get'>; onClose: () => void }) {
  const asked = (openRequest(order)?.lines ?? []).map(({ variantId, quantity }) => {
    const line = order.lines.find((other) => other.variantId === variantId);
    return { variantId, quantity, name: line ? lineName(line) : variantId };
  });
  const all = Object.fromEntries(asked.map(({ variantId, quantity }) => [variantId, quantity]));
  const [picked, setPicked] = useLasting<Picked>(`received of ${order.id}`, all);
  const [restock, setRestock] = useLasting(`restocked of ${order.id}`, false);
  const lines = pickedLines(asked, picked);
  const args = lines.length > 0 ? { orderId: order.id, lines, restock } : undefined;
  const { data, error } = usePreview('order.receiveReturn', args, 'OrderActions');
  const receive = useInvoke('order.receiveReturn', { source: 'OrderActions', once: `received of ${order.id}` });
  return (
    <FormDialog
      title={i18n._('Receive the return of order {order}', { order: order.id })}
      submit={i18n._('Record the refund')}
      size="md"
      disabledReason={args ? error?.message : i18n._('Say what came.')}
      call={receive}
      onSubmit={() => args && receive.mutate(args, { onDone: onClose })}
      onClose={onClose}
    >
      <PickQuantities label={i18n._('Items that came')} lines={asked} picked={picked} onChange={setPicked} />
      <Checkbox
        size="xs"
        label={i18n._('It can be sold again: back into stock')}
        checked={restock}
        onChange={(event) => setRestock(event.currentTarget.checked)}
      />
      <Preview
        text={
          args &&
          data &&
          i18n._('{amount} refunded to {method}.', {
            amount: formatMoney(data.refund.amount),
            method: data.refund.label,
          })
        }
        error={args ? error : null}
      />
    </FormDialog>
  );
}
