/**
 * Stores a value as JSON for when the window loads again; undefined removes it. Where there is no room the earlier
 * value is removed, so that it does not come back, and the page goes on with its own.
 */
export function store(storage: 'localStorage' | 'sessionStorage', name: string, value: unknown): void {
  const stored = globalThis[storage];
  stored?.removeItem(name);
  if (value === undefined) return;
  try {
    stored?.setItem(name, JSON.stringify(value));
  } catch {
    // It is in this page alone.
  }
}

/** The stored value of a name; undefined where there is none that can be read. */
export function stored(storage: 'localStorage' | 'sessionStorage', name: string): unknown {
  try {
    return JSON.parse(globalThis[storage]?.getItem(name) ?? '');
  } catch {
    return undefined;
  }
}
