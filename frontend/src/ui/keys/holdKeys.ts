import type { KeyboardEvent as KeyPress } from 'react';

/** The keys that move through a list and choose from it. */
const moving: readonly string[] = ['ArrowDown', 'ArrowUp', 'Enter'];

/** The keys that were pressed on the fields whose lists are opening. */
const held = new Map<Element, KeyboardEvent[]>();

/** The key that was pressed last, on the field of a list. */
let pressed: { field: Element; key: string } | undefined;

/**
 * Holds the moving keys of the focused field, whose list opens. Mantine looks for the chosen option one task after it
 * opened a list, and then forgets what a key has marked meanwhile: Enter would not take it. A list that an arrow opened
 * has a marked option.
 */
export function holdKeys(): void {
  const field = document.activeElement;
  if (!field || held.has(field)) return;
  held.set(field, []);
  const byArrow = pressed?.field === field && pressed.key.startsWith('Arrow');
  setTimeout(() => setTimeout(() => release(field, byArrow))); // Mantine's own task lies between the two
}

/** Whether the list of a field is opening. */
export const isHolding = (field: Element): boolean => held.has(field);

/** Keeps a moving key of a field whose list is opening; any other key lets the held ones go first. */
export function keepHeld(event: KeyPress): void {
  const field = event.currentTarget;
  pressed = { field, key: event.key };
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

function release(field: Element, byArrow = false): void {
  const keys = held.get(field) ?? [];
  held.delete(field);
  if (byArrow) keepMarked(field);
  for (const key of keys) field.dispatchEvent(key);
}

/**
 * Sees that an option stays marked in the open list of a field, the chosen one or the first, until something else than a
 * moving key is pressed. A mark is an attribute that Mantine sets on the options as they are when a key comes: there is
 * none when the options come later, and it goes with an option that goes.
 */
function keepMarked(field: Element): void {
  const list = document.getElementById(field.getAttribute('aria-controls') ?? '');
  if (!list) return;
  const mark = () => {
    const moved = pressed?.field === field && moving.includes(pressed.key);
    if (!moved || field.getAttribute('aria-expanded') !== 'true') seen.disconnect();
    else if (!list.querySelector('[data-combobox-selected]')) markFirst(field, list);
  };
  const seen = new MutationObserver(mark);
  seen.observe(list, { subtree: true, childList: true, attributeFilter: ['data-combobox-selected'] });
  mark();
}

/** Marks the chosen option of a list, else its first one, by keys: Enter takes it, and a screen reader says it. */
function markFirst(field: Element, list: Element): void {
  const options = list.querySelectorAll('[data-combobox-option]:not([data-combobox-disabled])');
  const wanted = [...options].find((option) => option.hasAttribute('data-combobox-active')) ?? options[0];
  const down = { key: 'ArrowDown', code: 'ArrowDown', bubbles: true, cancelable: true };
  for (let presses = 0; presses < options.length && !wanted?.hasAttribute('data-combobox-selected'); presses += 1)
    field.dispatchEvent(new KeyboardEvent('keydown', down));
}
