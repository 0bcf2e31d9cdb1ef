import { type RefObject, useLayoutEffect } from 'react';
import { mayTakeFocus } from './cards';

/**
 * Gives a new card the focus, on Deny, when that interrupts nobody; and gives
 * it back to where it was when the card goes.
 */
export function useCardFocus(card: RefObject<HTMLElement | null>, deny: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const before = document.activeElement;
    const element = card.current;
    if (mayTakeFocus(before)) deny.current?.focus({ preventScroll: true });
    return () => {
      const now = document.activeElement; // a button that was pressed cannot be used while it is answered: nothing has it then
      const had = !now || now === document.body || element?.contains(now);
      if (had && before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    };
  }, [card, deny]);
}
