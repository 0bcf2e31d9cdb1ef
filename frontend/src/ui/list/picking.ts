import type { KeyboardEvent } from 'react';
import { type ListCursor, moved } from './useListCursor';

/** The picked rows of a list, by their keys. */
export interface Picked {
  keys: readonly string[];
  /** The row that a range begins at, and what was picked beside the range. */
  from?: string;
  beside?: readonly string[];
}

/** Picks several rows of a list. */
export interface Picking {
  /** How many are picked, in the list and elsewhere. */
  count: number;
  /** How many of them the list does not have. */
  elsewhere: number;
  /** Whether everything that is loaded is picked. */
  every: boolean;
  has: (key: string) => boolean;
  /** Picks a row, or no longer. */
  toggle: (index: number) => void;
  /** Picks the rows up to this one from where the range began; without a beginning it is `from`. */
  extend: (index: number, from?: number) => void;
  /** Picks every loaded row. */
  all: () => void;
  clear: () => void;
}

/** What is picked after a row was pressed on its own. */
export function toggled({ keys }: Picked, key: string): Picked {
  const next = keys.includes(key) ? keys.filter((one) => one !== key) : [...keys, key];
  return { keys: next, from: key, beside: next };
}

/** What is picked after the range was drawn to a row: a smaller range gives rows back. */
export function extended(picked: Picked, loaded: readonly string[], to: number, otherwise = to): Picked {
  const begun = picked.from === undefined ? -1 : loaded.indexOf(picked.from);
  const start = begun < 0 ? otherwise : begun;
  const beside = begun < 0 ? picked.keys : (picked.beside ?? picked.keys);
  const range = loaded.slice(Math.min(start, to), Math.max(start, to) + 1);
  return { keys: [...new Set([...beside, ...range])], from: loaded[start], beside };
}

/** Picks by a key: Space, Shift with what moves the cursor, Ctrl A; Escape picks none. Reports whether it was one. */
export function pickByKey(event: KeyboardEvent, cursor: ListCursor, length: number, picking: Picking): boolean {
  const { key, shiftKey, altKey } = event;
  const control = event.ctrlKey || event.metaKey;
  if (altKey || event.target instanceof HTMLInputElement) return false;
  const act = (): boolean => {
    if (key === 'Escape' && picking.count > 0) picking.clear();
    else if (control && key.toLowerCase() === 'a') picking.all();
    else if (key === ' ' && !control && cursor.active >= 0)
      shiftKey ? picking.extend(cursor.active) : picking.toggle(cursor.active);
    else {
      const to = shiftKey && !control ? moved(key, cursor.active, length) : undefined;
      if (to === undefined) return false;
      picking.extend(to, cursor.active < 0 ? to : cursor.active);
      cursor.set(to);
    }
    return true;
  };
  const taken = act();
  if (taken) event.preventDefault();
  return taken;
}
