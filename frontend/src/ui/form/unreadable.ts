/** Marks a field whose text cannot be read as what the field is for; it says so itself. */
export const UNREADABLE = { 'data-unreadable': true } as const;

/**
 * Reports whether a form holds a field that cannot be read, and focuses the first one. A form is not sent while it
 * does: what is typed there would be left out without a word.
 */
export function hasUnreadable(form: HTMLElement): boolean {
  const field = form.querySelector<HTMLElement>('[data-unreadable]');
  field?.focus();
  return field !== null;
}
