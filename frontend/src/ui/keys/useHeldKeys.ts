import { useEffect } from 'react';
import { isTyping } from './useKeys';

const MOVES = /^(Arrow|Page|Home$|End$|Tab$|Shift$|Control$|Alt$|Meta$)/;
const ACTS = /^(Enter|Escape|F\d+)$/;

/** Reports whether the repeat of a held key would act again. Repeats may type in a field, and move anywhere. */
function actsAgain({ repeat, key, target }: KeyboardEvent): boolean {
  if (!repeat || MOVES.test(key)) return false;
  const writes = target instanceof HTMLTextAreaElement && key === 'Enter';
  return !writes && (ACTS.test(key) || !isTyping(target));
}

/** Makes a held key act once: its repeats reach no button, form or shortcut. */
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
