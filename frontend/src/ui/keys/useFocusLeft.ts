import { type RefObject, useLayoutEffect, useRef } from 'react';

let left: Element | null = null;

/**
 * Notes when an element is hidden or gone that the focus is within: the browser
 * lets go of it only with the next frame, and to make it do so at once costs as
 * much as that frame.
 */
export function useFocusLeft<T extends HTMLElement>(): RefObject<T | null> {
  const root = useRef<T>(null);
  useLayoutEffect(() => {
    const within = root.current;
    return () => {
      if (within?.contains(document.activeElement)) left = document.activeElement;
    };
  }, []);
  return root;
}

/** Whether the focus is nowhere that is seen. */
export function focusIsLost(): boolean {
  const active = document.activeElement;
  const lost = active === null || active === document.body || active === left;
  left = null;
  return lost;
}
