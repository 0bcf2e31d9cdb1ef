import { type RefObject, useEffect } from 'react';
import { watchKeys } from './registry';

/** Two presses of Enter that are no further apart are one: the second was meant for what the first was pressed on. */
const APART_MS = 700;

/** When Enter was pressed last and before that, on the clock of events; another key or the mouse ends what they are. */
let [before, last] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];

if (typeof window !== 'undefined') {
  const heed = (event: Event) => {
    const enter = event instanceof KeyboardEvent && event.key === 'Enter';
    [before, last] = enter ? [last, event.timeStamp] : [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  };
  watchKeys(heed);
  window.addEventListener('pointerdown', heed, { capture: true });
}

/** Keeps an element that has just appeared from taking the second press of an Enter that was pressed twice, or held. */
export function useSecondPress(appearing: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = appearing.current;
    const appeared = new Event('appear').timeStamp;
    const keep = (event: KeyboardEvent) => {
      const second = before < appeared && event.timeStamp - before < APART_MS;
      if (event.key === 'Enter' && (second || event.repeat)) event.preventDefault();
    };
    element?.addEventListener('keydown', keep);
    return () => element?.removeEventListener('keydown', keep);
  }, [appearing]);
}
