import { useState } from 'react';
import type { Json, JsonObject } from '../../bridge/wire';

/** The entries of a list as rows, each with a number that it keeps while others come and go. */
export function useEntryRows(entries: readonly Json[], beginsWithOne: boolean, onChange: (entries: Json[]) => void) {
  const [numbers, setNumbers] = useState<readonly number[]>([]);
  const known = beginsWithOne ? [{}] : entries;
  const free = Math.max(-1, ...numbers) + 1;
  const rows = known.map((entry, at) => ({ entry, row: numbers[at] ?? free + at - numbers.length }));
  const set = (next: readonly { entry: Json; row: number }[]) => {
    setNumbers(next.map(({ row }) => row));
    onChange(next.map(({ entry }) => entry));
  };
  return {
    rows,
    change: (row: number, entry: Json | undefined) =>
      set(rows.map((one) => (one.row === row ? { ...one, entry: entry ?? null } : one))),
    omit: (row: number) => set(rows.filter((one) => one.row !== row)),
    add: () => set([...rows, { entry: {}, row: Math.max(-1, ...rows.map(({ row }) => row)) + 1 }]),
  };
}

/** A name and its text. */
interface Pair {
  key: string;
  text: string;
}

/** The texts of an object as rows; one without a name waits for it. */
export function useMapRows(value: JsonObject, onChange: (value: JsonObject) => void) {
  const [typed, setTyped] = useState<readonly Pair[]>([]);
  const held = JSON.stringify(value);
  const known = Object.entries(value).map(([key, text]) => ({ key, text: String(text) }));
  const rows = (JSON.stringify(objectOf(typed)) === held ? typed : known).map((pair, row) => ({ ...pair, row }));
  const set = (next: readonly Pair[]) => {
    setTyped(next.map(({ key, text }) => ({ key, text })));
    onChange(objectOf(next));
  };
  return {
    rows,
    change: (row: number, part: Partial<Pair>) => set(rows.map((one) => (one.row === row ? { ...one, ...part } : one))),
    omit: (row: number) => set(rows.filter((one) => one.row !== row)),
    add: () => set([...rows, { key: '', text: '' }]),
  };
}

function objectOf(pairs: readonly Pair[]): JsonObject {
  return Object.fromEntries(pairs.flatMap(({ key, text }) => (key.trim() === '' ? [] : [[key.trim(), text]])));
}
