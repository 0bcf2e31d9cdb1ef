import { useEffect, useLayoutEffect, useRef } from 'react';

/** Gives the focus back to where it was when a dialog opened, unless it has gone somewhere else meanwhile. */
export function useFocusBack(): void {
  const before = useRef<Element | null>(null);
  useLayoutEffect(() => {
    before.current = document.activeElement;
  }, []);
  useEffect(
    () => () => {
      const { current } = before;
      if (document.activeElement === document.body && current instanceof HTMLElement) current.focus();
    },
    [],
  );
}
