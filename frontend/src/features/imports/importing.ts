import type { Request, Response } from '../../bridge/capabilities';
import type { Violation } from '../../bridge/wire';
import { i18n } from '../../language/i18n';
import { renderValue } from '../../language/sentence';

type Imported = Response<'shop.importCSV'>;

/** A kind of file that can be imported. */
export type ImportKind = Request<'shop.importCSV'>['kind'];

const fresh: Record<ImportKind, (count: number) => string> = {
  products: (count) => i18n._('{count, plural, one {# new product} other {# new products}}', { count }),
  customers: (count) => i18n._('{count, plural, one {# new customer} other {# new customers}}', { count }),
  orders: (count) => i18n._('{count, plural, one {# new order} other {# new orders}}', { count }),
};

const kinds: Record<ImportKind, string> = {
  products: i18n._('Products'),
  customers: i18n._('Customers'),
  orders: i18n._('Orders'),
};

/** The kind of a file that was dropped; undefined where the application could not tell. */
export function importKindOf({ kind = '' }: { kind?: string } = {}): ImportKind | undefined {
  return Object.hasOwn(kinds, kind) ? (kind as ImportKind) : undefined;
}

/** The kind of a file in words. */
export function importKindText(kind: ImportKind): string {
  return kinds[kind];
}

/** How many an import makes, changes and leaves as they are. */
export function importSums(result: Imported) {
  return {
    created: result.productsCreated + result.customersCreated + result.ordersCreated,
    updated: result.productsUpdated + result.customersUpdated,
    unchanged: result.productsUnchanged + result.customersUnchanged + result.ordersUnchanged,
  };
}

/** The changes of an import in one sentence; in the future tense for a dry run. */
export function importTold(result: Imported, kind: ImportKind): string {
  const { dryRun, file, rowsLeftOut } = result;
  const { created, updated, unchanged } = importSums(result);
  if (created + updated + unchanged === 0 && rowsLeftOut > 0)
    return i18n._('Nothing of {file} can be taken.', { file });
  if (created + updated === 0) return i18n._('{file} says nothing that is not here already.', { file });
  const parts = [
    created > 0 ? fresh[kind](created) : '',
    updated > 0 ? i18n._('{count, plural, other {# changed}}', { count: updated }) : '',
    unchanged > 0 ? i18n._('{count, plural, other {# as before}}', { count: unchanged }) : '',
  ];
  const what = parts.filter(Boolean).join(', ');
  return dryRun
    ? i18n._('{file} would bring {what}.', { file, what })
    : i18n._('{file} brought {what}.', { file, what });
}

/** A mistake in a file, with its line. */
export interface Mistake {
  /** From 1; undefined for a mistake of the whole file. */
  line?: number;
  text: string;
}

/** Why rows of a file are left out. */
export function leftOutOf({ leftOut }: Pick<Imported, 'leftOut'>): Mistake[] {
  return leftOut.map(({ line, column, of, reason }) => ({
    line,
    text: [of, column, reason].filter(Boolean).join(': '),
  }));
}

/** The mistakes in a file, from the violations of the application. */
export function mistakesIn(violations: readonly Violation[]): Mistake[] {
  return violations.map(({ path, message, sentence }) => {
    const line = Number(/^\/line\/(\d+)$/.exec(path)?.[1]);
    if (!(line > 0)) return { text: message };
    const [, ...parts] = sentence?.values ?? []; // behind the line: a column, if it is about one, and the problem
    return { line, text: parts.length > 0 ? parts.map(renderValue).join(': ') : message };
  });
}
