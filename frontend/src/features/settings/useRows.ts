import { useState } from 'react';

/** One row of a list that is edited as a whole; `row` tells it from the others while it has no id. */
type Row<T> = T & { readonly row: number };

/** The rows of a list that is edited as a whole, until it is saved. */
export function useRows<T extends object>(known: () => readonly T[]) {
  const [rows, setRows] = useState<readonly Row<T>[]>(() => known().map((fields, row) => ({ ...fields, row })));
  return {
    rows,
    change: (row: number, part: Partial<T>) =>
      setRows((now) => now.map((one) => (one.row === row ? { ...one, ...part } : one))),
    leaveOut: (row: number) => setRows((now) => now.filter((one) => one.row !== row)),
    add: (fields: T) => setRows((now) => [...now, { ...fields, row: Math.max(-1, ...now.map((one) => one.row)) + 1 }]),
  };
}
