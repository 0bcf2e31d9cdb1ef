import { useEffect, useRef } from 'react';

/**
 * While the window is locked, keys are for its fields alone: no shortcut hears
 * them, and no dialog behind closes on Escape. It has to be used before anything
 * that listens to the window.
 */
export function useQuietKeys(quiet: boolean): void {
  const now = useRef(quiet);
  useEffect(() => {
    now.current = quiet;
  });
  useEffect(() => {
    const keep = (event: KeyboardEvent) => {
      if (now.current) event.stopImmediatePropagation();
    };
    window.addEventListener('keydown', keep, { capture: true });
    return () => window.removeEventListener('keydown', keep, { capture: true });
  }, []);
}
