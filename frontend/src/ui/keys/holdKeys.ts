import type { KeyboardEvent as KeyPress } from 'react';

/** The keys that move through a list and choose from it. */
const moving: readonly string[] = ['ArrowDown', 'ArrowUp', 'Enter'];

/** The keys that were pressed on the fields whose lists are opening. */
const held = new Map<Element, KeyboardEvent[]>();

/**
 * Holds the moving keys of the focused field, whose list opens. Mantine looks for the chosen option one task after it
 * opened a list, and then forgets what a key has marked meanwhile: Enter would not take it.
 */
export function holdKeys(): void {
  const field = document.activeElement;
  if (!field || held.has(field)) return;
  held.set(field, []);
  setTimeout(() => setTimeout(() => release(field))); // Mantine's own task lies between the two
}

/** Whether the list of a field is opening. */
export const isHolding = (field: Element): boolean => held.has(field);

/** Keeps a moving key of a field whose list is opening; any other key lets the held ones go first. */
export function keepHeld(event: KeyPress): void {
  const field = event.currentTarget;
  const keys = held.get(field);
  if (!keys) return;
  if (!moving.includes(event.key)) {
    release(field);
    held.set(field, []); // the list is opening still
    return;
  }
  event.preventDefault();
  event.stopPropagation();
  keys.push(new KeyboardEvent('keydown', event.nativeEvent));
}

function release(field: Element): void {
  const keys = held.get(field) ?? [];
  held.delete(field);
  for (const key of keys) field.dispatchEvent(key);
}
