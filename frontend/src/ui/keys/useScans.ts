import { useEffect, useRef } from 'react';
import { dialogIsOpen } from './registry';
import { useKeyWatch } from './useKeys';

/** The most milliseconds between two keys of a scanner. */
export const PACE = 50;

/** The fewest characters of a code. */
export const SHORTEST = 6;

/** The event on a field that a scan was typed into. One that puts its own text back prevents the default. */
export const SCANNED = 'scanned';

/** What was scanned, and where the keys went. */
export interface Scan {
  code: string;
  /** The element that had the focus. */
  at: Element | null;
  /** The text of the field there before the scan; '' for none. */
  before: string;
}

/** What the open dialogs do with codes; the last one opened hears them. */
const dialogs: ((code: string) => void)[] = [];

type Field = HTMLInputElement | HTMLTextAreaElement;

const NO_TEXT = '[type=radio], [type=checkbox], [type=file], [readonly]';

/** The focused text field, if it is one. */
function fieldOf(element: Element | null): Field | undefined {
  const typed = element instanceof HTMLTextAreaElement || element instanceof HTMLInputElement;
  return typed && !element.matches(NO_TEXT) ? element : undefined;
}

/**
 * Whether a code is text like any other here: in a PIN, in a search of its own, in a choice of a dialog, and in what
 * says so by data-codes, such as the barcode of a product.
 */
function keepsCodes(field: Field): boolean {
  const secret = field.type === 'search' || field.type === 'password';
  return (
    secret || field.closest('[data-codes]') !== null || (dialogIsOpen() && field.getAttribute('role') === 'combobox')
  );
}

/** Puts the text of a field back, in a way that React hears of. */
function restore(field: Field, text: string): void {
  const left = field.dispatchEvent(new CustomEvent(SCANNED, { cancelable: true }));
  if (!left || field.value === text) return;
  const kind = field instanceof HTMLTextAreaElement ? HTMLTextAreaElement : HTMLInputElement;
  Object.getOwnPropertyDescriptor(kind.prototype, 'value')?.set?.call(field, text);
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

/**
 * Hears a scanner: keys that end in Enter, none later than PACE after the one before it. Its Enter reaches no
 * element, and the field its keys were typed into has the text of before.
 */
export function useScans(heard: (scan: Scan) => void): void {
  const state = useRef<{ code: string; last: number; ended: number; before?: { field: Field; text: string } }>({
    code: '',
    last: Number.NEGATIVE_INFINITY,
    ended: Number.NEGATIVE_INFINITY,
  });
  useKeyWatch((event) => {
    const { current: now } = state;
    const { key, timeStamp } = event;
    if (key === 'Shift' || key === 'CapsLock') return false;
    const quick = now.code !== '' && timeStamp - now.last <= PACE && !event.repeat;
    const at = document.activeElement;
    const field = fieldOf(at);
    now.last = timeStamp;
    if (!quick) {
      now.code = '';
      now.before = field && { field, text: field.value };
    }
    const { code, ended, before } = now;
    if (key === 'Enter') {
      now.code = '';
      const again = code === '' && timeStamp >= ended && timeStamp - ended <= PACE; // some scanners end a code with two
      const fields = [before?.field, field].filter((one) => one !== undefined);
      const moved = fields.length === 2 && fields[0] !== fields[1]; // words, and then something else
      const isCode = quick && !moved && code.length >= SHORTEST && !/\s/.test(code);
      const whole = isCode && !fields.some(keepsCodes);
      if (!again && !whole) return false;
      now.ended = timeStamp;
      if (again) return true;
      if (before) restore(before.field, before.text);
      const dialog = dialogIsOpen() ? dialogs.at(-1) : undefined;
      if (dialog) dialog(code);
      else heard({ code, at, before: before?.text ?? '' });
      return true;
    }
    const typed = key.length === 1 && !event.repeat && !event.isComposing && !event.ctrlKey && !event.metaKey;
    if (typed && code !== '' && !field) event.preventDefault(); // a space presses a button
    now.code = typed ? code + key : '';
    return false;
  });
}

/** Hears what is scanned while its dialog is open, in place of the page. */
export function useDialogScans(heard: (code: string) => void): void {
  const latest = useRef(heard);
  useEffect(() => {
    latest.current = heard;
  });
  useEffect(() => {
    const hear = (code: string) => latest.current(code);
    dialogs.push(hear);
    return () => {
      dialogs.splice(dialogs.indexOf(hear), 1);
    };
  }, []);
}
