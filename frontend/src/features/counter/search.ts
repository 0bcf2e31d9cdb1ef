import type { Response } from '../../door/capabilities';
import { i18n } from '../../language/i18n';

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

/** The message when Enter has several matches, or none. */
export function matchesText(count: number, more: boolean): string {
  if (count === 0) return i18n._('No match');
  if (more) return i18n._('{count, plural, other {# and more matches, choose one}}', { count });
  return i18n._('{count, plural, other {# matches, choose one}}', { count });
}

/**
 * The one offer a typed or scanned text means beyond doubt: the variant whose
 * SKU or barcode it is, or the only thing that was found.
 */
export function meant(offers: readonly Offer[]): Offer | undefined {
  const exact = offers.find(({ product, variant }) => product.matchedVariantId === variant.id);
  return exact ?? (offers.length === 1 ? offers[0] : undefined);
}
