import { Checkbox } from '@mantine/core';
import type { Response } from '../../../bridge/capabilities';
import { formatMoney } from '../../../language/format';
import { i18n } from '../../../language/i18n';
import { useInvoke, usePreview } from '../../../queries/useInvoke';
import { keyOf } from '../../../shop/lines';
import { FormDialog } from '../../../ui/form/FormDialog';
import { useForm } from '../../../ui/form/useForm';
import { lineName, openRequest, type Picked, pickedLines } from '../items';
import { PickQuantities } from './PickQuantities';
import { Preview } from './Preview';

/** Takes back what really came of a return, and records the refund for it. */
export function ReceiveReturn({ order, onClose }: { order: Response<'order.get'>; onClose: () => void }) {
  const asked = (openRequest(order)?.lines ?? []).map(({ variantId, lineId, quantity }) => {
    const line = order.lines.find((other) => keyOf(other) === keyOf({ variantId, lineId }));
    return { variantId, lineId, quantity, name: line ? lineName(line) : variantId };
  });
  const all = Object.fromEntries(asked.map((line) => [keyOf(line), line.quantity]));
  const known: { picked: Picked; restock: boolean } = { picked: all, restock: false };
  const { values, change } = useForm(`received of ${order.id}`, known);
  const { picked, restock } = values;
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
      <PickQuantities
        label={i18n._('Items that came')}
        lines={asked}
        picked={picked}
        onChange={(next) => change({ picked: next })}
      />
      <Checkbox
        size="xs"
        label={i18n._('It can be sold again: back into stock')}
        checked={restock}
        onChange={(event) => change({ restock: event.currentTarget.checked })}
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
