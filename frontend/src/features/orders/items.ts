import type { Response } from '../../bridge/capabilities';
import { type Amount, formatMoney } from '../../language/format';
import { i18n } from '../../language/i18n';
import { own } from '../../language/own';

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
  if (fulfilments.some(({ variantIds }) => variantIds.length === 0)) return [];
  const shipped = new Set(fulfilments.flatMap(({ variantIds }) => variantIds));
  return lines.filter(({ variantId }) => !shipped.has(variantId));
}

/** How many of each variant were picked; absent or 0 is none. */
export type Picked = Readonly<Record<string, number>>;

/** The only piece of an order counts as picked; of more, none does. */
export function soleItem(lines: readonly Pick<Line, 'variantId' | 'quantity'>[]): Picked {
  const [line] = lines;
  return line && lines.length === 1 && line.quantity === 1 ? { [line.variantId]: 1 } : {};
}

/** The picked lines, as they are sent. */
export function pickedLines(lines: readonly { variantId: string }[], picked: Picked) {
  return lines.flatMap(({ variantId }) => {
    const quantity = own(picked, variantId) ?? 0;
    return quantity > 0 ? [{ variantId, quantity }] : [];
  });
}

/** The replacements by variant. */
export type Swaps = Readonly<Record<string, string | null>>;

/** The swapped lines, as they are sent: all pieces where no number was picked. */
export function swappedLines(lines: readonly Line[], swaps: Swaps, picked: Picked) {
  return lines.flatMap(({ variantId, quantity: all }) => {
    const newVariantId = own(swaps, variantId);
    const quantity = own(picked, variantId) ?? all;
    return newVariantId && quantity > 0 ? [{ variantId, newVariantId, quantity }] : [];
  });
}

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
  const nameOf = (variantId: string) => {
    const line = lines.find((other) => other.variantId === variantId);
    return line
      ? lineName(line)
      : (alternatives.find(({ id }) => id === variantId)?.name ?? i18n._('an item that was changed'));
  };
  return request.lines.map(({ variantId, newVariantId, quantity }) =>
    [`${quantity} × ${nameOf(variantId)}`, newVariantId && nameOf(newVariantId)].filter(Boolean).join(' → '),
  );
}
