import { i18n } from './i18n';

/** The limits of a number that is typed. */
export interface NumberLimits {
  /** The most digits behind the decimal separator; none for a whole number. */
  decimals?: number;
  min?: number;
  max?: number;
  /** A sign that may be typed behind it, such as "%". */
  unit?: string;
}

/** The reading of a text: a value, or the reason against one; neither for an empty text. */
export interface Reading {
  value?: number;
  refused?: 'notNumber' | 'decimals' | 'ambiguous' | 'min' | 'max';
  /** The refusal in words. */
  reason?: string;
}

/** So many digits are exact, with three decimals behind them. */
const MOST = 999_999_999_999;

const SHAPE = /^([+-]?)(\d*(?:[.,' ]\d+)*[.,]?)$/;
const GROUPS = /^[1-9]\d{0,2}(?:([.,' ])\d{3})(?:\1\d{3})*$/;

/**
 * Reads a number as people type it. A point or a comma is the decimal separator or separates thousands: where only one
 * of these is possible the text has that value, otherwise the locale decides. A text with two values is refused.
 */
export function readNumber(text: string, locale: string, limits: NumberLimits = {}): Reading {
  const { decimals = 0, unit = '' } = limits;
  const bare = unit !== '' && text.trim().endsWith(unit) ? text.trim().slice(0, -unit.length) : text;
  const typed = bare
    .trim()
    .replace(/[\u2212\u2013]/, '-')
    .replace(/\s/g, ' ')
    .replaceAll('\u2019', "'");
  if (typed === '') return {};
  const [, sign = '', digits = ''] = SHAPE.exec(typed) ?? [];
  if (!/\d/.test(digits)) return notNumber();
  const signed = (value: number) => (sign === '-' ? -value || 0 : value); // no negative zero

  const grouped = GROUPS.test(digits) ? signed(Number(digits.replace(/\D/g, ''))) : undefined;
  if (grouped !== undefined && /^\d+[.,]\d{3}$/.test(digits)) {
    const decimal = signed(Number(digits.replace(',', '.')));
    return readEither(digits.at(-4), { grouped, decimal }, locale, limits);
  }
  if (grouped !== undefined) return within(grouped, locale, limits);

  const [whole, part] = splitAtPoint(digits) ?? [];
  if (whole === undefined || part === undefined) return notNumber();
  if (/[1-9]/.test(part.slice(decimals))) return tooManyDecimals(decimals);
  const scaled = Number(whole + part.slice(0, decimals).padEnd(decimals, '0'));
  return within(signed(scaled / 10 ** decimals), locale, limits);
}

/** Reads "1,234", which is a number with three decimals or one of thousands. */
function readEither(
  separator: string | undefined,
  { grouped, decimal }: { grouped: number; decimal: number },
  locale: string,
  limits: NumberLimits,
): Reading {
  const { group, point } = separatorsOf(locale);
  const mayBeDecimal = (limits.decimals ?? 0) >= 3;
  if (separator === point && mayBeDecimal) return within(decimal, locale, limits);
  if (separator === group && !mayBeDecimal) return within(grouped, locale, limits);
  const inRange = (value: number) => within(value, locale, limits).value !== undefined;
  if (mayBeDecimal && inRange(decimal) !== inRange(grouped)) return { value: inRange(decimal) ? decimal : grouped };
  const thousands = write(grouped, locale);
  const both = { thousands, decimal: write(decimal, locale, 3), plain: String(grouped) };
  return {
    refused: 'ambiguous',
    reason: i18n._('This may mean {thousands} or {decimal}. For {thousands} type {plain}.', both),
  };
}

/** The digits before and behind the decimal separator: "1,250.00" has 1250 and 00. */
function splitAtPoint(digits: string): [whole: string, part: string] | undefined {
  const [, whole = '', point, part = ''] = /^(.*?)(?:([.,])(\d*))?$/.exec(digits) ?? [];
  if (/^\d{0,15}$/.test(whole)) return [whole, part];
  const group = GROUPS.exec(whole)?.[1];
  return group && group !== point ? [whole.replace(/\D/g, ''), part] : undefined;
}

function within(value: number, locale: string, { min = -MOST, max = MOST }: NumberLimits): Reading {
  if (value < min) return { refused: 'min', reason: i18n._('At least {min}', { min: write(min, locale) }) };
  if (value > max) return { refused: 'max', reason: i18n._('At most {max}', { max: write(max, locale) }) };
  return { value };
}

function notNumber(): Reading {
  return { refused: 'notNumber', reason: i18n._('Not a number') };
}

function tooManyDecimals(decimals: number): Reading {
  const reason =
    decimals === 0
      ? i18n._('Whole numbers only')
      : i18n._('Too many decimal places: at most {decimals, number}', { decimals });
  return { refused: 'decimals', reason };
}

function write(value: number, locale: string, decimals = 0): string {
  const form = { minimumFractionDigits: decimals, maximumFractionDigits: 12 };
  return new Intl.NumberFormat(locale, form).format(value);
}

/** Writes a number as it is typed: without separators of thousands, and with so many decimals at least. */
export function typedNumber(value: number, locale: string, decimals = 0): string {
  const form = { useGrouping: false, minimumFractionDigits: decimals, maximumFractionDigits: 12 };
  return new Intl.NumberFormat(locale, form).format(value).replace('\u2212', '-');
}

const separators = new Map<string, { group: string | undefined; point: string | undefined }>();

function separatorsOf(locale: string) {
  const known = separators.get(locale);
  if (known) return known;
  const parts = new Intl.NumberFormat(locale).formatToParts(1_234_567.5);
  const of = (type: string) => parts.find((part) => part.type === type)?.value;
  const made = { group: of('group'), point: of('decimal') };
  separators.set(locale, made);
  return made;
}
