import { useEffect } from 'react';
import { isTyping } from './useKeys';

const MOVES = /^(Arrow|Page|Home$|End$|Tab$|Shift$|Control$|Alt$|Meta$)/;
const ACTS = /^(Enter|Escape|F\d+)$/;

/** Reports whether a key that is held would do again what it did: in a field it types, and elsewhere it only moves. */
function actsAgain({ repeat, key, target }: KeyboardEvent): boolean {
  if (!repeat || MOVES.test(key)) return false;
  const writes = target instanceof HTMLTextAreaElement && key === 'Enter';
  return !writes && (ACTS.test(key) || !isTyping(target));
}

/** A key that is held does once what a press of it does: its repeats reach no button, form or shortcut. */
export function useHeldKeys(): void {
  useEffect(() => {
    const keep = (event: KeyboardEvent) => {
      if (!actsAgain(event)) return;
      event.preventDefault();
      event.stopImmediatePropagation();
    };
    window.addEventListener('keydown', keep, { capture: true });
    return () => window.removeEventListener('keydown', keep, { capture: true });
  }, []);
}
