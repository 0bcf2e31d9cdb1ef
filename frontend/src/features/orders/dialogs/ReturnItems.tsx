import { Checkbox } from '@mantine/core';
import type { Response } from '../../../bridge/capabilities';
import { formatMoney } from '../../../language/format';
import { i18n } from '../../../language/i18n';
import { useInvoke, usePreview } from '../../../queries/useInvoke';
import { useEntry } from '../../../queries/useManifest';
import type { ReturnReason } from '../../../shop/vocabulary';
import { FormDialog } from '../../../ui/form/FormDialog';
import { useForm } from '../../../ui/form/useForm';
import { lineName, type Picked, paidBy, pickedLines, soleItem } from '../items';
import { MethodChoice } from './MethodChoice';
import { PickQuantities } from './PickQuantities';
import { Preview } from './Preview';
import { ReasonChoice } from './ReasonChoice';

/** The values of the form of a return. */
interface Returning {
  picked: Picked;
  reason: ReturnReason | null;
  paymentMethodId: string | undefined;
  isHere: boolean;
  /** Null: as the reason suggests. */
  restocked: boolean | null;
}

/** Takes back goods that are here and records the refund, or notes that they come and what is due for them. */
export function ReturnItems({ order, onClose }: { order: Response<'order.get'>; onClose: () => void }) {
  const kept = order.lines.filter(({ returned }) => !returned);
  const isSole = Object.keys(soleItem(kept)).length > 0;
  const { values, change } = useForm<Returning>(`returned of ${order.id}`, {
    ...{ picked: soleItem(kept), reason: null, paymentMethodId: paidBy(order), isHere: true, restocked: null },
  });
  const { picked, reason, paymentMethodId, isHere, restocked } = values;
  const atOnce = useEntry('order.returnNow')?.available ?? false;
  const here = isHere && atOnce;
  const restock = restocked ?? reason === 'changed mind';
  const lines = pickedLines(kept, picked);
  const asked =
    lines.length > 0 && paymentMethodId
      ? { orderId: order.id, lines, paymentMethodId, reason: reason ?? undefined }
      : undefined;
  const how = here ? 'order.returnNow' : 'order.return';
  const args = asked && { ...asked, ...(here ? { restock } : {}) };
  const { data, error } = usePreview(how, args, 'OrderActions');
  const request = useInvoke(how, { source: 'OrderActions', once: `returned of ${order.id}` });
  return (
    <FormDialog
      title={i18n._('Return of order {order}', { order: order.id })}
      submit={here ? i18n._('Take back and record the refund') : i18n._('Note the return')}
      size="md"
      disabledReason={
        args ? (reason ? error?.message : i18n._('Choose a reason first.')) : i18n._('Choose what comes back.')
      }
      call={request}
      onSubmit={() => args && request.mutate(args, { onDone: onClose })}
      onClose={onClose}
    >
      <PickQuantities
        label={i18n._('Items that come back')}
        lines={kept.map((line) => ({ ...line, name: lineName(line) }))}
        picked={picked}
        onChange={(next) => change({ picked: next })}
        first={!isSole}
      />
      <ReasonChoice of="order.return" value={reason} onChange={(next) => change({ reason: next })} first={isSole} />
      <MethodChoice
        label={i18n._('Refund to')}
        methods={order.savedPaymentMethods}
        value={paymentMethodId}
        onChange={(next) => change({ paymentMethodId: next })}
      />
      {atOnce && (
        <Checkbox
          size="xs"
          label={i18n._('The goods are here')}
          checked={here}
          onChange={(event) => change({ isHere: event.currentTarget.checked })}
        />
      )}
      {here && (
        <Checkbox
          size="xs"
          label={i18n._('It can be sold again: back into stock')}
          checked={restock}
          onChange={(event) => change({ restocked: event.currentTarget.checked })}
        />
      )}
      <Preview text={args && data && dueText(data)} error={args ? error : null} />
    </FormDialog>
  );
}

/** The money of a return: refunded at once, or due once it is here. */
function dueText(data: Response<'order.return'> | Response<'order.returnNow'>): string {
  return 'refund' in data
    ? i18n._('{amount} refunded to {method}.', { amount: formatMoney(data.refund.amount), method: data.refund.label })
    : i18n._('{amount} due when it is here.', { amount: formatMoney(data.refundDue) });
}
