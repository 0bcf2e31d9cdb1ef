import { useState } from 'react';
import { useLasting } from '../window/useKept';

/** One row of a list that is edited as a whole; `row` tells it from the others while it has no id. */
export type Row<T> = T & { readonly row: number };

const numbered = <T extends object>(known: readonly T[]): readonly Row<T>[] =>
  known.map((fields, row) => ({ ...fields, row }));

/** The rows of a list that is edited as a whole, until it is saved; for rows with secrets, gone with the page. */
export function useRows<T extends object>(known: () => readonly T[]) {
  return changing(useState(() => numbered(known())));
}

/** The same, kept when the page is loaded anew. */
export function useLastingRows<T extends object>(key: string, known: () => readonly T[]) {
  return changing(useLasting(key, () => numbered(known())));
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
    leaveOut: (row: number) => setRows((now) => now.filter((one) => one.row !== row)),
    add: (fields: T) => setRows((now) => withRow(now, fields)),
  };
}
