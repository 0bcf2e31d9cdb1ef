import { type KeyboardEvent, useState } from 'react';

const PAGE = 10;

/** The position of the cursor after a key, or undefined when the key does not move it. */
export function moved(key: string, active: number, count: number): number | undefined {
  const last = count - 1;
  switch (key) {
    case 'ArrowDown':
      return Math.min(active + 1, last);
    case 'ArrowUp':
      return Math.max(active - 1, 0);
    case 'PageDown':
      return Math.min(active + PAGE, last);
    case 'PageUp':
      return Math.max(active - PAGE, 0);
    case 'Home':
      return 0;
    case 'End':
      return last;
    default:
      return undefined;
  }
}

/** The rows of a list; of a very long one some may not be there for a moment. */
export interface Rows<T> {
  length: number;
  at: (index: number) => T | undefined;
}

/** A list's cursor: the row that is active, moved by keys. */
export interface ListCursor {
  /** The index of the active row; -1 for none. */
  active: number;
  /** Another number after each move by the person, and the same while rows come or go above the active one. */
  moves: number;
  /** Moves to a row, and stays on its record. */
  set: (index: number) => void;
  /** Moves to a place and not to a record: the list is about to be another one. */
  reset: (index: number) => void;
  onKeyDown: (event: KeyboardEvent) => void;
}

type Key = string | number;

interface Place {
  index: number;
  /** The record there; absent after a reset. */
  key?: Key;
  moves: number;
}

/**
 * A cursor over rows, which stays on its record while others come and go. Without its record it is on the row that has
 * taken the place. Enter chooses the active row.
 */
export function useListCursor<T>(
  rows: Rows<T>,
  keyOf: (row: T) => Key,
  onChoose: (index: number) => void,
  first = -1,
): ListCursor {
  const [place, setPlace] = useState<Place>({ index: first, moves: 0 });
  const now = followed(place, rows, keyOf);
  if (now !== place) setPlace(now);
  const set = (index: number) => setPlace(({ moves }) => ({ index, key: keyAt(index, rows, keyOf), moves: moves + 1 }));
  const reset = (index: number) => setPlace(({ moves }) => ({ index, moves: moves + 1 }));
  return { ...cursorAt(Math.min(now.index, rows.length - 1), set, rows.length, onChoose), moves: now.moves, reset };
}

function keyAt<T>(index: number, rows: Rows<T>, keyOf: (row: T) => Key): Key | undefined {
  const row = index < 0 || index >= rows.length ? undefined : rows.at(index);
  return row === undefined ? undefined : keyOf(row);
}

/** The place of the same record in rows that may be others, sought from its last place on both sides. */
function followed<T>(place: Place, rows: Rows<T>, keyOf: (row: T) => Key): Place {
  const { index, key, moves } = place;
  if (key === undefined || rows.length === 0 || keyAt(index, rows, keyOf) === key) return place;
  for (let away = 1; away <= Math.max(index, rows.length - 1 - index); away++) {
    for (const other of [index + away, index - away]) {
      if (keyAt(other, rows, keyOf) === key) return { index: other, key, moves };
    }
  }
  const nearest = Math.min(index, rows.length - 1);
  const there = keyAt(nearest, rows, keyOf);
  return there === undefined ? place : { index: nearest, key: there, moves };
}

/** The same for a list that keeps by itself which row is active. */
export function cursorAt(
  active: number,
  set: (index: number) => void,
  count: number,
  onChoose: (index: number) => void,
): ListCursor {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Enter' && active >= 0) {
      event.preventDefault();
      onChoose(active);
      return;
    }
    const inText = event.target instanceof HTMLInputElement; // there they move within the text
    if (inText && (event.key === 'Home' || event.key === 'End')) return;
    const next = moved(event.key, active, count);
    if (next === undefined) return;
    event.preventDefault();
    set(next);
  };
  return { active, moves: active, set, reset: set, onKeyDown };
}
