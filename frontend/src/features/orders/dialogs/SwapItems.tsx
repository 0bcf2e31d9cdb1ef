import { useRef } from 'react';
import { flushSync } from 'react-dom';
import type { Response } from '../../../bridge/capabilities';
import { i18n } from '../../../language/i18n';
import { own } from '../../../language/own';
import { useInvoke, usePreview } from '../../../queries/useInvoke';
import { keyOf } from '../../../shop/lines';
import type { ReturnReason } from '../../../shop/vocabulary';
import { FormDialog } from '../../../ui/form/FormDialog';
import { PiecesInput } from '../../../ui/form/PiecesInput';
import { Select } from '../../../ui/form/Select';
import { useForm } from '../../../ui/form/useForm';
import type { Choice } from '../../../ui/list/choices';
import page from '../../../ui/page/Page.module.css';
import {
  type Added,
  addedLines,
  alternativesOf,
  differenceText,
  lineName,
  type Picked,
  paidBy,
  resizedLines,
  type Swaps,
  some,
  swappedLines,
  totalText,
  withOneMore,
} from '../items';
import { MethodChoice } from './MethodChoice';
import { Preview } from './Preview';
import { ProductField } from './ProductField';
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

/** The values of the form of a swap. */
interface Swapping {
  swaps: Swaps;
  picked: Picked;
  paymentMethodId: string | undefined;
  reason: ReturnReason | null;
  added: readonly Added[];
}

/** Makes items other variants of their products before they are sent, or exchanges them once they come back. */
export function SwapItems({ how, order, onClose }: SwapItemsProps) {
  const { values, change } = useForm<Swapping>(`${how} of ${order.id}`, {
    ...{ swaps: {}, picked: {}, paymentMethodId: paidBy(order), reason: null, added: [] },
  });
  const { swaps, picked, paymentMethodId, reason, added } = values;
  const fields = useRef<HTMLUListElement>(null);
  const kept = order.lines.filter(({ returned }) => !returned);
  const changes = swappedLines(kept, swaps, picked);
  const set = how === 'order.changeItems' ? resizedLines(kept, swaps, picked) : [];
  const add = addedLines(added);
  const args =
    changes.length + set.length + add.length > 0 && paymentMethodId
      ? {
          ...{ orderId: order.id, paymentMethodId, reason: reason ?? undefined },
          ...{ changes: some(changes), set: some(set), add: some(add) },
        }
      : undefined;
  const missing = how === 'order.exchange' && !reason ? i18n._('Choose a reason first.') : undefined;
  const { data, error } = usePreview(how, args, 'OrderActions');
  const swap = useInvoke(how, { source: 'OrderActions', once: `${how} of ${order.id}` });
  const label = order.savedPaymentMethods.find(({ id }) => id === paymentMethodId)?.label;
  const addOne = (variant: Choice) => {
    flushSync(() => change({ added: withOneMore(added, variant) }));
    fields.current?.querySelector<HTMLElement>(`[data-added="${variant.value}"]`)?.focus(); // for its quantity
  };
  const setPieces = (variantId: string, quantity: number) =>
    change({ added: added.map((line) => (line.value === variantId ? { ...line, quantity } : line)) });
  return (
    <FormDialog
      title={words[how].title(order.id)}
      submit={words[how].submit}
      size="lg"
      disabledReason={args ? (missing ?? error?.message) : i18n._('Choose other items or quantities.')}
      call={swap}
      onSubmit={() => args && swap.mutate(args, { onDone: onClose })}
      onClose={onClose}
    >
      <ul ref={fields} className={page.rows} aria-label={i18n._('Items')}>
        {kept.map((line) => {
          const choices = alternativesOf(line, order.alternatives, how === 'order.exchange');
          return (
            <li key={keyOf(line)}>
              <span className={page.grow}>{lineName(line)}</span>
              <PiecesInput
                aria-label={i18n._('Pieces of {name}', { name: lineName(line) })}
                w={70}
                min={how === 'order.exchange' || own(swaps, keyOf(line)) ? 1 : 0}
                max={how === 'order.exchange' || own(swaps, keyOf(line)) ? line.quantity : 9999}
                value={own(picked, keyOf(line)) ?? line.quantity}
                onChange={(pieces) => change({ picked: { ...picked, [keyOf(line)]: pieces } })}
              />
              <Select
                aria-label={i18n._('Instead of {name}', { name: lineName(line) })}
                w={300}
                clearable
                placeholder={choices.length === 0 ? i18n._('Nothing else to have') : i18n._('Stays as it is')}
                disabled={choices.length === 0}
                data={choices}
                value={own(swaps, keyOf(line)) ?? null}
                onChange={(newVariantId) => change({ swaps: { ...swaps, [keyOf(line)]: newVariantId } })}
              />
            </li>
          );
        })}
        {added.map(({ value, label, quantity }) => (
          <li key={value}>
            <span className={page.grow}>{label}</span>
            <PiecesInput
              aria-label={i18n._('Pieces of {name}', { name: label })}
              w={70}
              max={9999}
              data-added={value}
              value={quantity}
              onChange={(pieces) => setPieces(value, pieces)}
            />
          </li>
        ))}
      </ul>
      {how === 'order.changeItems' && <ProductField key={added.length} onChoose={addOne} />}
      {how === 'order.exchange' && (
        <ReasonChoice of={how} value={reason} onChange={(next) => change({ reason: next })} />
      )}
      <MethodChoice
        label={i18n._('The difference is recorded with')}
        methods={order.savedPaymentMethods}
        value={paymentMethodId}
        onChange={(next) => change({ paymentMethodId: next })}
      />
      <Preview
        text={args && data && [totalText(data), differenceText(data.difference, label)].join(' ')}
        error={args ? error : null}
      />
    </FormDialog>
  );
}
