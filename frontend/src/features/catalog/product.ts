import type { Response } from '../../bridge/capabilities';
import { formatCount, formatMoney, humanize, locale } from '../../language/format';
import { i18n } from '../../language/i18n';
import { own } from '../../language/own';
import { movementReasons } from '../../shop/vocabulary';

export type Product = Response<'catalog.search'>['products'][number];
export type FullProduct = Response<'catalog.getProduct'>;
export type Variant = Product['variants'][number];

/** The prices of a product's variants: one amount or a range. */
export function priceText(variants: readonly Variant[]): string {
  const prices = variants.map(({ price }) => price).sort((a, b) => a.amount - b.amount);
  const [least, most] = [prices[0], prices.at(-1)];
  if (!least || !most) return '';
  return least.amount === most.amount ? formatMoney(least) : `${formatMoney(least)} – ${formatMoney(most)}`;
}

/** How much there is of a product: pieces of every variant that is counted. */
export function stockText(variants: readonly Variant[]): string {
  const counted = variants.flatMap(({ stock }) => (stock === undefined ? [] : [stock]));
  if (counted.length === 0) return i18n._('not counted');
  return formatCount(counted.reduce((sum, stock) => sum + stock, 0));
}

/** The stock of one variant; below zero counts the pieces sold ahead. */
export function stockOf({ stock, backorder }: Variant): string {
  if (stock === undefined) return i18n._('not counted');
  if (stock < 0) return i18n._('{stock}, sold ahead', { stock: signed(stock) });
  return stock === 0 && !backorder ? i18n._('sold out') : formatCount(stock);
}

const GRAMS = { g: 1, kg: 1000, lb: 453.592_37, oz: 28.349_523_125 };
const UNITS = { g: 'gram', kg: 'kilogram', lb: 'pound', oz: 'ounce' };

/** The weight of a variant in the unit it is shown in; nothing while it is not known. */
export function weightText({ weightGrams, weightUnit = 'g' }: Variant): string {
  if (weightGrams === undefined) return '';
  const form = { style: 'unit', unit: UNITS[weightUnit], maximumFractionDigits: 2 } as const;
  return new Intl.NumberFormat(locale, form).format(weightGrams / GRAMS[weightUnit]);
}

/** The name of a variant in its product; an only variant often has no options. */
export function variantName({ label, sku }: Variant): string {
  return label || sku || i18n._('The only variant');
}

/** The name of a variant of a product by its id; of one that is gone, nothing. */
export function nameOf({ variants }: Product, variantId: string): string {
  const variant = variants.find(({ id }) => id === variantId);
  return variant ? variantName(variant) : '';
}

const reasons: Readonly<Record<string, string>> = { ...movementReasons, opening: i18n._('Opening') };

/** Why the stock moved, in words. */
export function movementText({ reason, note = '' }: FullProduct['stockMovements'][number]): string {
  return [own(reasons, reason) ?? humanize(reason), own(whys, note) ?? note].filter(Boolean).join(' · ');
}

/** The usual reasons for another stock, as the shop stores them, each in the language of the window. */
export const whys: Readonly<Record<string, string>> = {
  ...{ delivery: i18n._('delivery'), counted: i18n._('counted'), broken: i18n._('broken') },
  'given away': i18n._('given away'),
};

/** A reason as the shop stores it: the same word in every language for a usual one. */
export const storedWhy = (said: string) => Object.entries(whys).find(([, shown]) => shown === said)?.[0] ?? said;

/** A difference with its sign, as the true minus. */
export function signed(delta: number): string {
  return delta < 0 ? `−${formatCount(-delta)}` : `+${formatCount(delta)}`;
}
