import { i18n } from '../../language/i18n';

const words = new Map([
  ['Ctrl', i18n._('Ctrl')],
  ['Shift', i18n._('Shift')],
  ['Escape', i18n._('Esc')],
  ['Space', i18n._('Space')],
  ['ArrowUp', '↑'],
  ['ArrowDown', '↓'],
]);

/** Returns the words of a key as they are on the keyboard: "Shift F4" for "Shift+F4". */
export const keyText = (key: string): string =>
  key
    .split(/\+(?=.)/)
    .map((part) => words.get(part) ?? part)
    .join(' ');

/** Returns the properties of an element that a key acts on. The key is shown at it while Ctrl is held. */
export const keyed = (key: string | undefined) =>
  key ? { 'aria-keyshortcuts': key.replace('Ctrl', 'Control'), 'data-key': keyText(key) } : {};
