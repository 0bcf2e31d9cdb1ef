import { formatMoney, inSentence } from './format';
import { i18n } from './i18n';

/** Invisible characters, but for the one that makes an emoji. */
const unseen = /(?!(?<!\p{VS})\ufe0f)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{DI}\ufffd]/gu;

/** A text of people where nothing may be unseen: as JSON escapes it, a line break as ↵. */
export function visible(text: string): string {
  return text.replace(unseen, (character) =>
    character === '\n'
      ? '↵'
      : character.replaceAll(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  );
}

/** Any JSON value as a person reads it: amounts as money, lists by their things, no braces. */
export function readable(value: unknown): string {
  if (value === null || value === undefined || value === '') return i18n._('none');
  if (typeof value === 'boolean') return value ? i18n._('yes') : i18n._('no');
  if (Array.isArray(value)) {
    if (value.length === 0) return i18n._('none');
    return value.every((item) => typeof item !== 'object')
      ? value.map(readable).join(', ')
      : value.map(named).join('; ');
  }
  if (typeof value === 'object') return named(value);
  return String(value);
}

/** A thing by its name where it has one, else by all it has. */
function named(value: unknown): string {
  if (typeof value !== 'object' || value === null) return readable(value);
  const thing = value as Record<string, unknown>;
  if (typeof thing.amount === 'number' && typeof thing.currency === 'string') {
    return formatMoney({ amount: thing.amount, currency: thing.currency, text: textOf(thing.text) });
  }
  const name = textOf(thing.name) ?? textOf(thing.title) ?? textOf(thing.text) ?? textOf(thing.label);
  if (name) return name;
  return Object.entries(thing)
    .map(([key, part]) => `${inSentence(key)} ${readable(part)}`)
    .join(', ');
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Whether a value is an id and nothing else: "heldId": "cart_y7vp3e0m". Numbers of orders are for people. */
export function isBareId(name: string, value: unknown): boolean {
  return /(^i|I)d$/.test(name) && typeof value === 'string' && /^[a-z]+_\w+$/.test(value);
}

/** Whether a value is a time in milliseconds, by its name. */
export const isMoment = (name: string, value: unknown): value is number =>
  typeof value === 'number' && /(At|^at|^until)$/.test(name);
