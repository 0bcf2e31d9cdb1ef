import { useHotkeys } from '@mantine/hooks';

/** Matches dialogs of hidden pages. */
const HIDDEN = '[style*="display: none"]';

/** How many dialogs lie over the page. */
export const dialogsOpen = () =>
  [...document.querySelectorAll('[aria-modal="true"]')].filter((dialog) => dialog.closest(HIDDEN) === null).length;

/** Whether a dialog lies over the page, which then takes no keys. */
export const dialogIsOpen = () => dialogsOpen() > 0;

const untyped = ['button', 'checkbox', 'color', 'file', 'image', 'radio', 'range', 'reset', 'submit'];

/** Whether what is pressed is typed there: a box or a choice takes no letters. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return !untyped.includes(target.type);
  return target.isContentEditable || ['TEXTAREA', 'SELECT'].includes(target.tagName);
}

/** Keys that are signs or letters, such as "/": they work where nothing is typed, and not behind a dialog. */
export function useLetterKeys(keys: Record<string, () => void>): void {
  useHotkeys(
    Object.entries(keys).map(([key, act]) => [
      key,
      (event) => {
        if (isTyping(event.target) || dialogIsOpen()) return;
        event.preventDefault();
        act();
      },
      { preventDefault: false },
    ]),
    [],
  );
}

/** Keys of a page, such as F2: they work while something is typed, but not behind a dialog. */
export function useKeys(keys: Record<string, () => void>): void {
  useHotkeys(
    Object.entries(keys).map(([key, act]) => [key, () => !dialogIsOpen() && act()]),
    [],
  );
}
