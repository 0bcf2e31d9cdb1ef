import type { Json } from '../../door/wire';
import { formatMoment, formatMoney, humanize, inSentence } from '../../language/format';
import { i18n } from '../../language/i18n';

interface Line {
  /** Where it stands, as it is sent. */
  place: string;
  label: string;
  text: string;
}

/** Every value of what is sent, by its place in words: nothing is left out but what is empty. */
export function linesOf(data: Json | undefined, place: readonly string[] = []): Line[] {
  if (data === null || data === undefined || data === '') return [];
  if (Array.isArray(data)) {
    return data.flatMap((item, index) => linesOf(item, data.length === 1 ? place : [...place, String(index + 1)]));
  }
  const line = (text: string): Line[] => [{ place: place.join('/'), label: labelOf(place), text }];
  if (typeof data === 'object') {
    const { amount, currency } = data;
    if (typeof amount === 'number' && typeof currency === 'string') return line(formatMoney({ amount, currency }));
    return Object.entries(data).flatMap(([name, part]) => linesOf(part, [...place, name]));
  }
  if (typeof data === 'boolean') return line(data ? i18n._('yes') : i18n._('no'));
  const moment = typeof data === 'number' && place.at(-1)?.endsWith('At');
  return line(moment ? formatMoment(data) : String(data));
}

/** The end of a place in words: where a thing lies deeper, what it is of. */
function labelOf(place: readonly string[]): string {
  const numbered = place.findIndex((part) => /^\d+$/.test(part));
  const end = place.slice(Math.min(-2, numbered < 0 ? -2 : numbered - 1 - place.length));
  const inner = end.length === place.length && end[0] === 'body' ? end.slice(1) : end;
  return inner.map((part, index) => (index === 0 ? humanize(part) : inSentence(part))).join(' ');
}
