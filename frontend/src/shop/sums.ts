import type { Response } from '../bridge/capabilities';
import { type Amount, formatMoney } from '../language/format';
import { i18n } from '../language/i18n';

type Sums = Pick<
  Response<'order.get'>,
  'subtotal' | 'discount' | 'discountReason' | 'shipping' | 'tax' | 'taxIncluded'
>;

/** A line of a bill: what it is, and the amount with its sign. */
export type Sum = [label: string, amount: string];

/** The rounding of cash, if there is one. */
export const roundingOf = (rounding: Amount | undefined): Sum[] =>
  rounding ? [[i18n._('Rounding'), formatMoney(rounding)]] : [];

/** How a total adds up: goods, less a discount, with shipping where it costs something, and the tax on them or in them. */
export function sumsOf({ subtotal, discount, discountReason, shipping, tax, taxIncluded }: Sums): Sum[] {
  const sums: Sum[] = [[i18n._('Subtotal'), formatMoney(subtotal)]];
  if (discount.amount !== 0)
    sums.push([[i18n._('Discount'), discountReason].filter(Boolean).join(' · '), `−${formatMoney(discount)}`]);
  if (shipping.amount !== 0) sums.push([i18n._('Shipping'), formatMoney(shipping)]);
  if (tax.amount !== 0 || !taxIncluded)
    sums.push([taxIncluded ? i18n._('Tax included') : i18n._('Tax'), formatMoney(tax)]);
  return sums;
}
