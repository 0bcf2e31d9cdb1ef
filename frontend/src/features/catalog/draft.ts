import type { Request } from '../../bridge/capabilities';
import { i18n } from '../../language/i18n';
import { own } from '../../language/own';
import type { FullProduct, Variant } from './product';

type NewVariant = Request<'catalog.createProduct'>['variants'][number];
type Change = NonNullable<Request<'catalog.updateProduct'>['variants']>[number];

/** A variant as it is typed; the values by the names of the options. */
export interface VariantDraft {
  values: Readonly<Record<string, string>>;
  sku: string;
  barcode: string;
  /** In minor units; undefined while the text is no amount. */
  price: number | undefined;
  /** Undefined: not counted. */
  stock: number | undefined;
  preferred: boolean;
  /** It may be sold when there is none. */
  ahead: boolean;
  forSale: boolean;
}

/** A draft of a variant, or of a new one. */
export function draftOfVariant(names: readonly string[], known?: Variant): VariantDraft {
  return {
    values: Object.fromEntries(names.map((name) => [name, own(known?.options, name) ?? ''])),
    sku: known?.sku ?? '',
    barcode: known?.barcode ?? '',
    price: known?.price.amount,
    stock: known?.stock,
    preferred: known?.default ?? false,
    ahead: known?.backorder ?? false,
    forSale: !known?.withdrawn,
  };
}

/** The values that were typed, by the name of their option. */
function optionsOf(names: readonly string[], values: VariantDraft['values']): Record<string, string> | undefined {
  const options = names.map((name) => [name, own(values, name)?.trim() ?? ''] as const);
  return options.length === 0 ? undefined : Object.fromEntries(options);
}

/** The JSON pointer of an option's value in a variant. */
export function optionAt(variant: string, name: string): string {
  return `${variant}/options/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** The missing fields of a new variant, in a sentence. */
export function variantMissing(names: readonly string[], { values, price }: VariantDraft): string | undefined {
  const empty = names.filter((name) => (own(values, name) ?? '').trim() === '');
  if (price === undefined) empty.push(i18n._('Price'));
  return empty.length === 0 ? undefined : i18n._('Fill in: {fields}.', { fields: empty.join(', ') });
}

/** A new variant as it is sent. */
export function newVariant(names: readonly string[], draft: VariantDraft, currency: string): NewVariant {
  return {
    options: optionsOf(names, draft.values),
    sku: draft.sku.trim() || undefined,
    barcode: draft.barcode.trim() || undefined,
    price: { amount: draft.price ?? 0, currency },
    stock: draft.stock,
    backorder: draft.ahead || undefined,
    default: draft.preferred || undefined,
  };
}

/** The change of a variant, as it is sent; undefined when there is none. Other capabilities set price and stock. */
export function variantChange(names: readonly string[], draft: VariantDraft, known: Variant): Change | undefined {
  const was = draftOfVariant(names, known);
  const change: Change = { variantId: known.id };
  if (names.some((name) => own(draft.values, name)?.trim() !== own(was.values, name))) {
    change.options = optionsOf(names, draft.values);
  }
  if (draft.sku.trim() !== was.sku) change.sku = draft.sku.trim();
  if (draft.barcode.trim() !== was.barcode) change.barcode = draft.barcode.trim();
  if (draft.preferred && !was.preferred) change.default = true;
  if (draft.ahead !== was.ahead) change.backorder = draft.ahead;
  if (draft.forSale !== was.forSale) change.available = draft.forSale;
  return Object.keys(change).length > 1 ? change : undefined;
}

/** A product as it is typed, without its variants. */
export interface ProductDraft {
  name: string;
  description: string;
  tags: string[];
  taxClass: string | null;
}

/** A draft of a product, or of a new one by that name. */
export function draftOfProduct(known: Partial<FullProduct>): ProductDraft {
  const { name = '', description = '', tags = [], taxClass = null } = known;
  return { name, description, tags, taxClass };
}

/** The change of a product, as it is sent; undefined when there is none. */
export function productChange(draft: ProductDraft, known: FullProduct) {
  const was = draftOfProduct(known);
  const change: Request<'catalog.updateProduct'> = { productId: known.id };
  if (draft.name.trim() !== was.name) change.name = draft.name.trim();
  if (draft.description.trim() !== was.description) change.description = draft.description.trim();
  if (draft.tags.join('\n') !== was.tags.join('\n')) change.tags = draft.tags;
  if (draft.taxClass !== was.taxClass && draft.taxClass) change.taxClass = draft.taxClass;
  return Object.keys(change).length > 1 ? change : undefined;
}
