import { useEffect } from 'react';
import { own } from '../../language/own';
import { useLasting } from '../window/useKept';

/** One row of a list that is edited as a whole; `row` tells it from the others while it has no id. */
export type Row<T> = T & { readonly row: number };

const numbered = <T extends object>(known: readonly T[]): readonly Row<T>[] =>
  known.map((fields, row) => ({ ...fields, row }));

/**
 * Holds rows over the known ones. Typed, added and omitted rows stay, all others follow the known ones. Rows are stored
 * under the key and outlive a reload of the page; without a key, for secrets, they are not stored. A row that is not
 * known yet has an empty id.
 */
export function useRows<T extends { id?: string }>(key: string | undefined, known: readonly T[]) {
  const [{ rows }, set] = useLasting(key, () => ({ rows: numbered(known), base: known }));
  const now = JSON.stringify(known);
  useEffect(() => {
    const next = JSON.parse(now) as readonly T[];
    set((draft) => (JSON.stringify(draft.base) === now ? draft : { rows: rowsOver(draft, next), base: next }));
  }, [now, set]);
  return changing<T>([rows, (change) => set((draft) => ({ ...draft, rows: change(draft.rows) }))]);
}

/** The rows of a draft over what is known now; `base` was known before. */
function rowsOver<T extends { id?: string }>(
  { rows, base }: { rows: readonly Row<T>[]; base: readonly T[] },
  known: readonly T[],
): readonly Row<T>[] {
  const begun = (id: string | undefined) => base.find((one) => one.id === id);
  const taken = new Set<number>();
  let over: readonly Row<T>[] = [];
  for (const one of known) {
    const before = begun(one.id);
    const row = rows.find(({ id, ...fields }) => id === one.id || (id === '' && !before && isSaved(fields, one)));
    if (row) over = [...over, { ...follow(row, before, one), row: row.row }];
    else if (!before) over = [...over, { ...one, row: Math.max(-1, ...[...rows, ...over].map(({ row }) => row)) + 1 }];
    if (row) taken.add(row.row);
  }
  // What was removed elsewhere goes, unless something was typed into it.
  const others = rows.filter(({ row, ...fields }) => {
    const before = begun(fields.id);
    return !taken.has(row) && !(before && isSaved(fields, before));
  });
  return [...over, ...others];
}

/** A row with what was typed into it, and what is known otherwise. */
function follow<T extends object>(row: T, before: T | undefined, known: T): T {
  const typed = Object.entries(row).filter(([name, value]) => {
    const at = name as keyof T;
    return before && !isSaved(value, before[at]) && !isSaved(value, known[at]);
  });
  return { ...known, ...(Object.fromEntries(typed) as Partial<T>) };
}

/** Whether typed values are the known ones, without the blanks around them. */
function isSaved(typed: unknown, known: unknown): boolean {
  if (typeof typed !== 'object' || typed === null) return String(typed).trim() === String(known).trim();
  const fields = Object.entries(typed).filter(([name]) => name !== 'row');
  return fields.every(([name, value]) => isSaved(value, own(known as Record<string, unknown>, name)));
}

/** The rows and one more. */
export function withRow<T extends object>(rows: readonly Row<T>[], fields: T): readonly Row<T>[] {
  return [...rows, { ...fields, row: Math.max(-1, ...rows.map(({ row }) => row)) + 1 }];
}

type SetRows<T> = (change: (now: readonly Row<T>[]) => readonly Row<T>[]) => void;

function changing<T extends object>([rows, setRows]: [readonly Row<T>[], SetRows<T>]) {
  return {
    rows,
    change: (row: number, part: Partial<T>) =>
      setRows((now) => now.map((one) => (one.row === row ? { ...one, ...part } : one))),
    changeAll: setRows,
    omit: (row: number) => setRows((now) => now.filter((one) => one.row !== row)),
    add: (fields: T) => setRows((now) => withRow(now, fields)),
  };
}
