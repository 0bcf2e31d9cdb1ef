import { useCallback, useState, useSyncExternalStore } from 'react';
import { useBegun, useUnmount } from './forms';
import { store, stored } from './stored';

/** The prefix of the names under which drafts are stored. */
const DRAFT = 'deskhand.draft ';

/** The name in the window's memory under which something is kept beside the drafts, and forgotten with them. */
export function draftName(key: string): string {
  return DRAFT + key;
}

/** The prefix of the names of what the window stores for one person. */
const PERSONAL = 'deskhand.person ';

/** The name in localStorage of what one person did: it outlives the window, and is forgotten when another person comes. */
export function personalName(key: string): string {
  return PERSONAL + key;
}

const kept = new Map<string, unknown>(readDrafts());
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Forgets all kept states: another person is at the window. */
export function forgetKept(): void {
  kept.clear();
  for (const name of draftNames()) sessionStorage.removeItem(name);
  for (const name of Object.keys(globalThis.localStorage ?? {}))
    if (name.startsWith(PERSONAL)) localStorage.removeItem(name);
  for (const listener of listeners) listener();
}

/** A value, or what makes it of the present one. */
type Next<T> = T | undefined | ((now: T | undefined) => T | undefined);

/** Keeps a value under the key of a state that outlives its component; undefined forgets it. */
export function keep<T>(key: string, value: Next<T>): void {
  const next = value instanceof Function ? value(kept.get(key) as T | undefined) : value;
  if (next === undefined) kept.delete(key);
  else kept.set(key, next);
  for (const listener of listeners) listener();
}

/**
 * A state that outlives its component: it is kept under its key for the life of
 * the window, so that leaving a page and coming back loses nothing. Setting
 * undefined forgets it.
 */
export function useKept<T>(key: string): [T | undefined, (value: Next<T>) => void] {
  const value = useSyncExternalStore(subscribe, () => kept.get(key) as T | undefined);
  const set = useCallback((value: Next<T>) => keep(key, value), [key]);
  return [value, set];
}

/**
 * A kept state that outlives the page too: what was begun is there when the window
 * is loaded anew, and gone with the window. Its values are JSON.
 */
export function useDraft<T>(key: string): [T | undefined, (value: Next<T>) => void] {
  const name = draftName(key);
  const [value, keep] = useKept<T>(name);
  const set = useCallback(
    (next: Next<T>) =>
      keep((now) => {
        const value = next instanceof Function ? next(now) : next;
        store('sessionStorage', name, value);
        return value;
      }),
    [name, keep],
  );
  return [value, set];
}

/**
 * The state of a form: its input, and whether its dialog is open. As long as it differs from its initial value, it keeps
 * the page around it (useBegun). It outlives a reload of the page and ends with its component. Its values are JSON.
 * Without a key, for secrets, it is not stored.
 */
export function useLasting<T>(
  key: string | undefined,
  initial: T | (() => T),
): [T, (next: T | ((now: T) => T)) => void] {
  const [first] = useState(initial);
  const passing = useState<T>();
  const lasting = useDraft<T>(key ?? '');
  const [kept, keep] = key === undefined ? passing : lasting;
  useUnmount(useCallback(() => keep(undefined), [keep])); // not called when the page itself is unloaded
  useBegun(key !== undefined && kept !== undefined && JSON.stringify(kept) !== JSON.stringify(first));
  const set = useCallback(
    (next: T | ((now: T) => T)) => keep((now = first) => (next instanceof Function ? next(now) : next)),
    [keep, first],
  );
  return [kept === undefined ? first : kept, set];
}

function draftNames(): string[] {
  return Object.keys(globalThis.sessionStorage ?? {}).filter((name) => name.startsWith(DRAFT));
}

/** The drafts of before the page was loaded; one that cannot be read is none. */
export function readDrafts(): [string, unknown][] {
  return draftNames().flatMap((name): [string, unknown][] => {
    const draft = stored('sessionStorage', name);
    return draft === undefined ? [] : [[name, draft]];
  });
}
