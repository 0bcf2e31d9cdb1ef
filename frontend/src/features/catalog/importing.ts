import type { Response } from '../../bus/client';
import type { Violation } from '../../bus/wire';

type Imported = Response<'shop.importCSV'>;

const counted = (count: number, one: string, many: string) => `${count.toLocaleString()} ${count === 1 ? one : many}`;

/** What an import changes, in one sentence; in the future while it is only looked at. */
export function importTold({ dryRun, productsCreated, productsUpdated, productsUnchanged, file }: Imported): string {
  if (productsCreated + productsUpdated === 0) return `${file} says nothing that the catalog does not say already.`;
  const parts = [
    productsCreated > 0 ? counted(productsCreated, 'new product', 'new products') : '',
    productsUpdated > 0 ? counted(productsUpdated, 'changed', 'changed') : '',
    productsUnchanged > 0 ? counted(productsUnchanged, 'as it is', 'as they are') : '',
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
