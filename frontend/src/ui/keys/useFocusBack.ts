import { useEffect, useLayoutEffect, useRef } from 'react';
import { FOCUSABLE } from './keepFocus';

/** An element with what it is in, from the inside out. */
function pathOf(element: Element | null): HTMLElement[] {
  const path: HTMLElement[] = [];
  for (let at = element; at instanceof HTMLElement && at !== document.body; at = at.parentElement) path.push(at);
  return path;
}

/**
 * Gives the focus back to where it was when a dialog opened, unless it has gone somewhere else meanwhile. When that is
 * gone, such as the button of a step that is done, the first thing around it has the focus.
 */
export function useFocusBack(): void {
  const before = useRef<HTMLElement[]>([]);
  useLayoutEffect(() => {
    before.current = pathOf(document.activeElement);
  }, []);
  useEffect(
    () => () => {
      if (document.activeElement !== document.body) return;
      const there = before.current.find(({ isConnected }) => isConnected);
      if (there === before.current[0]) there?.focus();
      else there?.querySelector<HTMLElement>(FOCUSABLE)?.focus();
    },
    [],
  );
}
