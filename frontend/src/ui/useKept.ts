import { useCallback, useSyncExternalStore } from 'react';

const kept = new Map<string, unknown>();
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Forgets all of it: somebody else is at the window. */
export function forgetKept(): void {
  kept.clear();
  for (const listener of listeners) listener();
}

/** A value, or what makes it of the present one. */
type Next<T> = T | undefined | ((now: T | undefined) => T | undefined);

/**
 * A state that outlives its component: it is kept under its key for the life of
 * the window, so that leaving a page and coming back loses nothing. Setting
 * undefined forgets it.
 */
export function useKept<T>(key: string): [T | undefined, (value: Next<T>) => void] {
  const value = useSyncExternalStore(subscribe, () => kept.get(key) as T | undefined);
  const set = useCallback(
    (value: Next<T>) => {
      const next = value instanceof Function ? value(kept.get(key) as T | undefined) : value;
      if (next === undefined) kept.delete(key);
      else kept.set(key, next);
      for (const listener of listeners) listener();
    },
    [key],
  );
  return [value, set];
}
