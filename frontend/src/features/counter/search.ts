import type { Response } from '../../bridge/capabilities';
import { type Amount, formatMoney } from '../../language/format';
import { i18n } from '../../language/i18n';

/** The id of the list of products that were found. */
export const LIST = 'products';

type Product = Response<'catalog.search'>['products'][number];
type Variant = Product['variants'][number];

/** One line of the search: a variant with the product it is of. */
export interface Offer {
  product: Product;
  variant: Variant;
}

/** Lists the variants of products, in order. */
export function offersOf(products: readonly Product[]): Offer[] {
  return products.flatMap((product) => product.variants.map((variant) => ({ product, variant })));
}

/** The pieces that a text asks for, and of what: "3*guji" asks for three, any other text for one. */
export function piecesIn(text: string): { pieces: number; of: string } {
  const [, pieces, of = ''] = /^\s*([1-9]\d{0,3})\s*[*×](.*)$/.exec(text) ?? [];
  return pieces === undefined ? { pieces: 1, of: text.trim() } : { pieces: Number(pieces), of: of.trim() };
}

/** A product with the options of one of its variants. */
export function nameOf({ product, variant }: Offer): string {
  return [product.name, variant.label].filter(Boolean).join(', ');
}

/** The message when Enter has several matches, or none. */
export function matchesText(count: number, more: boolean): string {
  if (count === 0) return i18n._('No match');
  if (more) return i18n._('{count, plural, other {# and more matches, choose one}}', { count });
  return i18n._('{count, plural, other {# matches, choose one}}', { count });
}

/** The message when something was put into the cart. */
export function addedText({ itemCount, cartTotal }: { itemCount: number; cartTotal: Amount }): string {
  return i18n._('Added. {count} in the cart, {total}', { count: itemCount, total: formatMoney(cartTotal) });
}

/** The message when something is put into the cart later. */
export function waitsText(): string {
  return i18n._('Waits for the link. It is put into the cart when that is back.');
}

/** The variant whose SKU or barcode was asked for. */
export function exact(offers: readonly Offer[]): Offer | undefined {
  return offers.find(({ product, variant }) => product.matchedVariantId === variant.id);
}

/**
 * The one offer a typed or scanned text means beyond doubt: the variant whose
 * SKU or barcode it is, or the only thing that was found.
 */
export function meant(offers: readonly Offer[]): Offer | undefined {
  return exact(offers) ?? (offers.length === 1 ? offers[0] : undefined);
}
