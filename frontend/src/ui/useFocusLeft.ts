import { type RefObject, useLayoutEffect, useRef } from 'react';

/** Gives up the focus that is within an element when that is hidden or gone: nobody types into what is not seen. */
export function useFocusLeft<T extends HTMLElement>(): RefObject<T | null> {
  const root = useRef<T>(null);
  useLayoutEffect(() => {
    const within = root.current;
    return () => {
      const active = document.activeElement;
      if (active instanceof HTMLElement && within?.contains(active)) active.blur();
    };
  }, []);
  return root;
}
