import type { Response } from '../../bridge/capabilities';
import { type Amount, formatMoney } from '../../language/format';
import { i18n } from '../../language/i18n';
import { own } from '../../language/own';
import { type Known, keyOf, named } from '../../shop/lines';
import type { Choice } from '../../ui/list/choices';

type Order = Response<'order.get'>;
type Line = Order['lines'][number];

const underWay: Record<Order['requests'][number]['kind'], string> = {
  return: i18n._('Return under way'),
  exchange: i18n._('Exchange under way'),
};

/** The note on an order while a request is open. */
export function underWayText(kind: keyof typeof underWay): string {
  return underWay[kind];
}

/** The name of a line: the product and its options. */
export function lineName({ name, label }: Pick<Line, 'name' | 'label'>): string {
  return label ? `${name}, ${label}` : name;
}

/** The lines that are in no parcel yet. */
export function unshipped({ lines, fulfilments }: Pick<Order, 'lines' | 'fulfilments'>): Line[] {
  if (fulfilments.some(({ variantIds, lineIds = [] }) => variantIds.length + lineIds.length === 0)) return [];
  const shipped = new Set(fulfilments.flatMap(({ variantIds, lineIds = [] }) => [...variantIds, ...lineIds]));
  return lines.filter((line) => !shipped.has(keyOf(line)) && !shipped.has(line.variantId));
}

/** The pieces picked of each line; absent or 0 is none. */
export type Picked = Readonly<Record<string, number>>;

/** The only piece of an order counts as picked; of more, none does. */
export function soleItem(lines: readonly (Known & Pick<Line, 'quantity'>)[]): Picked {
  const [line] = lines;
  return line && lines.length === 1 && line.quantity === 1 ? { [keyOf(line)]: 1 } : {};
}

/** The picked lines, as they are sent. */
export function pickedLines(lines: readonly Known[], picked: Picked) {
  return lines.flatMap((line) => {
    const quantity = own(picked, keyOf(line)) ?? 0;
    return quantity > 0 ? [{ ...named(line), quantity }] : [];
  });
}

/** The replacements by line. */
export type Swaps = Readonly<Record<string, string | null>>;

/** The swapped lines, as they are sent: all pieces where no number was picked. */
export function swappedLines(lines: readonly Line[], swaps: Swaps, picked: Picked) {
  return lines.flatMap((line) => {
    const newVariantId = own(swaps, keyOf(line));
    const quantity = own(picked, keyOf(line)) ?? line.quantity;
    return newVariantId && quantity > 0 ? [{ ...named(line), newVariantId, quantity }] : [];
  });
}

/** The lines with another quantity and no other item, as they are sent; 0 takes a line out. */
export function resizedLines(lines: readonly Line[], swaps: Swaps, picked: Picked) {
  return lines.flatMap((line) => {
    const quantity = own(picked, keyOf(line)) ?? line.quantity;
    return !own(swaps, keyOf(line)) && quantity !== line.quantity ? [{ lineId: keyOf(line), quantity }] : [];
  });
}

/** A variant that is added to an order, with its pieces. */
export type Added = Choice & { quantity: number };

/** The added lines with one more piece of a variant. */
export const withOneMore = (added: readonly Added[], variant: Choice): Added[] =>
  added.some(({ value }) => value === variant.value)
    ? added.map((line) => (line.value === variant.value ? { ...line, quantity: line.quantity + 1 } : line))
    : [...added, { ...variant, quantity: 1 }];

/** The added lines as they are sent; 0 pieces are none. */
export const addedLines = (added: readonly Added[]) =>
  added.filter(({ quantity }) => quantity > 0).map(({ value, quantity }) => ({ variantId: value, quantity }));

/** A list that has something in it; undefined for an empty one. */
export const some = <T>(list: T[]): T[] | undefined => (list.length > 0 ? list : undefined);

/** The alternatives of a line as choices with prices: variants of its product, its own only in an exchange. */
export function alternativesOf({ variantId, productId }: Line, alternatives: Order['alternatives'], exchange: boolean) {
  return alternatives
    .filter((other) => other.productId === productId && (exchange || other.id !== variantId))
    .map(({ id, name, price }) => ({
      value: id,
      label: id === variantId ? i18n._('The same again') : `${name} · ${formatMoney(price)}`,
    }));
}

/** The return or exchange that is under way. */
export function openRequest({ requests }: Pick<Order, 'requests'>): Order['requests'][number] | undefined {
  return requests.find(({ status }) => status === 'requested');
}

/** The method of the latest payment: the likely one for a refund. */
export function paidBy({ payments }: Pick<Order, 'payments'>): string | undefined {
  return payments.findLast(({ kind }) => kind === 'payment')?.paymentMethodId;
}

/** The total of a changed order in words; empty for an exchange, whose order keeps it. */
export const totalText = ({ total }: { total?: Amount }): string =>
  total ? i18n._('New total {total}.', { total: formatMoney(total) }) : '';

/** A difference in words: charged, refunded, or none. */
export function differenceText({ amount, currency, text }: Amount, label?: string): string {
  if (amount === 0) return i18n._('It comes to the same: nothing is charged and nothing refunded.');
  const sum = formatMoney({ amount: Math.abs(amount), currency, text: amount < 0 ? text?.replace(/[-−]/, '') : text });
  const method = label ?? i18n._('the method chosen');
  return amount > 0
    ? i18n._('{sum} more, charged to {method}.', { sum, method })
    : i18n._('{sum} less, refunded to {method}.', { sum, method });
}

/** The lines of a request: the pieces returned and their replacements. */
export function requestLines(
  { lines, alternatives }: Pick<Order, 'lines' | 'alternatives'>,
  request: Pick<Order['requests'][number], 'lines'>,
): string[] {
  const nameOf = (key: string) => {
    const line = lines.find((other) => keyOf(other) === key);
    return line
      ? lineName(line)
      : (alternatives.find(({ id }) => id === key)?.name ?? i18n._('an item that was changed'));
  };
  return request.lines.map(({ newVariantId, quantity, ...line }) =>
    [`${quantity} × ${nameOf(keyOf(line))}`, newVariantId && nameOf(newVariantId)].filter(Boolean).join(' → '),
  );
}
