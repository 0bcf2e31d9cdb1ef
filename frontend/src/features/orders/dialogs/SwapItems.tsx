import type { Response } from '../../../bridge/capabilities';
import { i18n } from '../../../language/i18n';
import { own } from '../../../language/own';
import { useInvoke, usePreview } from '../../../queries/useInvoke';
import type { ReturnReason } from '../../../shop/vocabulary';
import { FormDialog } from '../../../ui/form/FormDialog';
import { PiecesInput } from '../../../ui/form/PiecesInput';
import { Select } from '../../../ui/form/Select';
import page from '../../../ui/page/Page.module.css';
import { useLasting } from '../../../ui/window/useKept';
import { alternativesOf, differenceText, lineName, type Picked, paidBy, type Swaps, swappedLines } from '../items';
import { MethodChoice } from './MethodChoice';
import { Preview } from './Preview';
import { ReasonChoice } from './ReasonChoice';

const words = {
  'order.changeItems': {
    title: (order: string) => i18n._('Change items of order {order}', { order }),
    submit: i18n._('Change the items'),
  },
  'order.exchange': {
    title: (order: string) => i18n._('Exchange items of order {order}', { order }),
    submit: i18n._('Note the exchange'),
  },
} as const;

interface SwapItemsProps {
  how: keyof typeof words;
  order: Response<'order.get'>;
  onClose: () => void;
}

/** Makes items other variants of their products before they are sent, or exchanges them once they come back. */
export function SwapItems({ how, order, onClose }: SwapItemsProps) {
  const [swaps, setSwaps] = useLasting<Swaps>(`${how} of ${order.id}`, {});
  const [picked, setPicked] = useLasting<Picked>(`${how} pieces of ${order.id}`, {});
  const [paymentMethodId, setMethod] = useLasting(`${how} paid of ${order.id}`, paidBy(order));
  const [reason, setReason] = useLasting<ReturnReason | null>(`${how} reason of ${order.id}`, null);
  const kept = order.lines.filter(({ returned }) => !returned);
  const changes = swappedLines(kept, swaps, picked);
  const args =
    changes.length > 0 && paymentMethodId
      ? { orderId: order.id, changes, paymentMethodId, ...(reason ? { reason } : {}) }
      : undefined;
  const missing = how === 'order.exchange' && !reason ? i18n._('Choose a reason first.') : undefined;
  const { data, error } = usePreview(how, args, 'OrderActions');
  const swap = useInvoke(how, { source: 'OrderActions', once: `${how} of ${order.id}` });
  const label = order.savedPaymentMethods.find(({ id }) => id === paymentMethodId)?.label;
  return (
    <FormDialog
      title={words[how].title(order.id)}
      submit={words[how].submit}
      size="lg"
      disabledReason={args ? (missing ?? error?.message) : i18n._('Choose what becomes something else.')}
      call={swap}
      onSubmit={() => args && swap.mutate(args, { onDone: onClose })}
      onClose={onClose}
    >
      <ul className={page.rows} aria-label={i18n._('Items')}>
        {kept.map((line) => {
          const choices = alternativesOf(line, order.alternatives, how === 'order.exchange');
          return (
            <li key={line.variantId}>
              <span className={page.grow}>{lineName(line)}</span>
              <PiecesInput
                aria-label={i18n._('Pieces of {name}', { name: lineName(line) })}
                w={70}
                min={1}
                max={line.quantity}
                value={own(picked, line.variantId) ?? line.quantity}
                onChange={(pieces) => setPicked({ ...picked, [line.variantId]: pieces })}
              />
              <Select
                aria-label={i18n._('Instead of {name}', { name: lineName(line) })}
                w={300}
                clearable
                placeholder={choices.length === 0 ? i18n._('Nothing else to have') : i18n._('Stays as it is')}
                disabled={choices.length === 0}
                data={choices}
                value={own(swaps, line.variantId) ?? null}
                onChange={(newVariantId) => setSwaps({ ...swaps, [line.variantId]: newVariantId })}
              />
            </li>
          );
        })}
      </ul>
      {how === 'order.exchange' && <ReasonChoice of={how} value={reason} onChange={setReason} />}
      <MethodChoice
        label={i18n._('The difference is recorded with')}
        methods={order.savedPaymentMethods}
        value={paymentMethodId}
        onChange={setMethod}
      />
      <Preview text={args && data && differenceText(data.difference, label)} error={args ? error : null} />
    </FormDialog>
  );
}
