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

/** A list's cursor: which row is active, moved by keys. */
export interface ListCursor {
  active: number;
  set: (index: number) => void;
  onKeyDown: (event: KeyboardEvent) => void;
}

/** A cursor over `count` rows; -1 is none. Enter chooses the active row. */
export function useListCursor(count: number, onChoose: (index: number) => void, first = -1): ListCursor {
  const [wanted, set] = useState(first);
  return cursorAt(Math.min(wanted, count - 1), set, count, onChoose);
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
  return { active, set, onKeyDown };
}
