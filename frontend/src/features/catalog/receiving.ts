import type { Request, Response } from '../../bridge/capabilities';
import type { Product, Variant } from './product';

type Line = Request<'catalog.receiveStock'>['lines'][number];

/** A line of a delivery as it is typed. */
export interface ReceivedLine {
  variantId: string;
  name: string;
  quantity: number;
  /** In minor units; undefined while the text is no amount. */
  cost: number | undefined;
}

/** One variant that can be received, with its product. */
export interface Receivable {
  product: Product;
  variant: Variant;
}

/** Lists the variants of products, in order. */
export function receivables({ products }: Response<'catalog.search'>): Receivable[] {
  return products.flatMap((product) => product.variants.map((variant) => ({ product, variant })));
}

/** The variant whose SKU or barcode it is, or the only one that was found. */
export function meantBy(found: readonly Receivable[]): Receivable | undefined {
  const exact = found.find(({ product, variant }) => product.matchedVariantId === variant.id);
  return exact ?? (found.length === 1 ? found[0] : undefined);
}

/** The full name of a variant, with its SKU. */
export function receivableName({ product, variant }: Receivable): string {
  return [[product.name, variant.label].filter(Boolean).join(', '), variant.sku].filter(Boolean).join(' · ');
}

/** The lines as they are sent. */
export function linesOf(rows: readonly ReceivedLine[], currency: string): Line[] {
  return rows.map(({ variantId, quantity, cost }) => ({
    variantId,
    quantity,
    cost: cost === undefined ? undefined : { amount: cost, currency },
  }));
}
