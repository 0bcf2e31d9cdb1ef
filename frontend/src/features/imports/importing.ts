import type { Request, Response } from '../../bus/client';
import type { Violation } from '../../bus/wire';

type Imported = Response<'shop.importCSV'>;

/** What a file can be about, and how one and many of it are called. */
export type ImportKind = Request<'shop.importCSV'>['kind'];

const nouns: Record<ImportKind, readonly [string, string]> = {
  products: ['product', 'products'],
  customers: ['customer', 'customers'],
  orders: ['order', 'orders'],
};

/** How many an import makes, changes and leaves as they are. */
export function importSums(result: Imported) {
  return {
    created: result.productsCreated + result.customersCreated + result.ordersCreated,
    updated: result.productsUpdated + result.customersUpdated,
    unchanged: result.productsUnchanged + result.customersUnchanged + result.ordersUnchanged,
  };
}

/** What an import changes, in one sentence; in the future while it is only looked at. */
export function importTold(result: Imported, kind: ImportKind): string {
  const { dryRun, file } = result;
  const { created, updated, unchanged } = importSums(result);
  if (created + updated === 0) return `${file} says nothing that is not here already.`;
  const [one, many] = nouns[kind];
  const parts = [
    created > 0 ? `${created.toLocaleString()} new ${created === 1 ? one : many}` : '',
    updated > 0 ? `${updated.toLocaleString()} changed` : '',
    unchanged > 0 ? `${unchanged.toLocaleString()} as before` : '',
  ];
  return `${file} ${dryRun ? 'would bring' : 'brought'} ${parts.filter(Boolean).join(', ')}.`;
}

/** A mistake in a file: where it stands, and what is wrong. */
export interface Mistake {
  /** From 1; undefined for what is about the file as a whole. */
  line?: number;
  text: string;
}

/** The mistakes in a file, from what the application says of its lines. */
export function mistakesIn(violations: readonly Violation[]): Mistake[] {
  return violations.map(({ path, message }) => {
    const line = Number(/^\/line\/(\d+)$/.exec(path)?.[1]);
    return { line: line > 0 ? line : undefined, text: message.replace(/^Line \d+(, column |: )/, '') };
  });
}
