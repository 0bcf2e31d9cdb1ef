/** Marks a field whose text cannot be read; its error gives the reason. */
export const UNREADABLE = { 'data-unreadable': true } as const;

/**
 * Reports whether a form holds a field that cannot be read, and focuses the first one. Such a form must not be sent: it
 * would leave the field out silently.
 */
export function hasUnreadable(form: HTMLElement): boolean {
  const field = form.querySelector<HTMLElement>('[data-unreadable]');
  field?.focus();
  return field !== null;
}
