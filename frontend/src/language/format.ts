import { amountIn, roundIn } from './amounts';
import { dateForm } from './dates';
import { i18n, localeOf } from './i18n';
import { translateFromGo } from './translateFromGo';

export const locale = localeOf(i18n.locale);

const counts = new Intl.NumberFormat(locale); // made once: lists write dozens at a time

// How moments and days are written.
type Form = Intl.DateTimeFormatOptions;
const clock: Form = { hour: 'numeric', minute: '2-digit' };
const isoDay: Form = { year: 'numeric', month: '2-digit', day: '2-digit' }; // Swedish writes it so
const thisYear: Form = { day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' };
const otherYear: Form = { ...thisYear, year: 'numeric' };
const inFull: Form = { dateStyle: 'medium', timeStyle: 'medium' };
const toTheMinute: Form = { weekday: 'short', ...thisYear };
const toTheMinuteThen: Form = { weekday: 'short', ...otherYear };
const dayOnly: Form = { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' };
const dayInFull: Form = { dateStyle: 'medium', timeZone: 'UTC' };

/** An amount as the application writes it; `text` is there when it is ready to be shown, in English. */
export interface Amount {
  amount: number;
  currency: string;
  text?: string;
}

/** Writes how many of something there are. */
export function formatCount(count: number): string {
  return counts.format(count);
}

/** Writes an amount: in English in the application's own words if it has some, else as the locale does. */
export function formatMoney({ amount, currency, text }: Amount): string {
  return text && i18n.locale === 'en' ? text : amountIn(locale, amount, currency);
}

/** Writes an amount in minor units as short as it can be: without cents where there are none. */
export function formatRound(amount: number, currency: string): string {
  return roundIn(locale, amount, currency);
}

/** The name of a currency with its code. */
export function currencyName(code = ''): string {
  if (!code) return '';
  const name = new Intl.DisplayNames(locale, { type: 'currency' }).of(code) ?? code;
  return name === code ? code : `${name} (${code})`;
}

/** Writes a moment as short as it is clear: the time alone today, the year only in another one. */
export function formatTime(ms: number, now: number = Date.now()): string {
  const [day, today] = [ms, now].map((at) => dateForm('sv', isoDay).format(at));
  if (day === today) return dateForm(locale, clock).format(ms);
  return dateForm(locale, isOfThisYear(ms, now) ? thisYear : otherYear).format(ms);
}

const yearOf = (ms: number): string => dateForm('sv', isoDay).format(ms).slice(0, 4);
const isOfThisYear = (ms: number, now: number): boolean => yearOf(ms) === yearOf(now);

const kilobytes = new Intl.NumberFormat(locale, { style: 'unit', unit: 'kilobyte', maximumFractionDigits: 0 });
const megabytes = new Intl.NumberFormat(locale, { style: 'unit', unit: 'megabyte', maximumFractionDigits: 1 });

/** Writes the size of a file. */
export function formatSize(bytes: number): string {
  return bytes < 1_000_000 ? kilobytes.format(Math.ceil(bytes / 1000)) : megabytes.format(bytes / 1_000_000);
}

/** Writes how long something took. */
export function formatDuration(ms: number): string {
  return ms < 1000 ? `${Math.max(0, Math.round(ms))} ms` : `${(ms / 1000).toFixed(1)} s`;
}

/** Writes a moment in full. */
export function formatMoment(ms: number): string {
  return dateForm(locale, inFull).format(ms);
}

/** Writes a moment to the minute, with its day and, in another year, that. */
export function formatMinute(ms: number, now: number = Date.now()): string {
  return dateForm(locale, isOfThisYear(ms, now) ? toTheMinute : toTheMinuteThen).format(ms);
}

/** Writes the day of a moment, with its year. */
export function formatDate(ms: number): string {
  return dateForm(locale, { dateStyle: 'medium' }).format(ms);
}

/** Writes a calendar day such as "2026-11-20", which has no time zone of its own. */
export function formatDay(day: string): string {
  const at = new Date(`${day.slice(0, 10)}T00:00:00Z`);
  if (Number.isNaN(at.getTime())) return day;
  return dateForm(locale, dayOnly).format(at);
}

/** Writes days of the week, from 1, a Monday, to 7. */
export function formatWeekdays(days: readonly number[]): string {
  const names = days.map((day) =>
    dateForm(locale, { weekday: 'long', timeZone: 'UTC' }).format(Date.UTC(2024, 0, day)),
  );
  return new Intl.ListFormat(locale).format(names); // the first of January 2024 was a Monday
}

/** Writes some days, from the first to the last, with their year. */
export function formatDays(from: string, to: string): string {
  return dateForm(locale, dayInFull).formatRange(new Date(`${from}T00:00:00Z`), new Date(`${to}T00:00:00Z`));
}

/** Formats a day and a span ahead of time: the first of each makes the browser load its calendars. */
export function readCalendars(): void {
  formatTime(0);
  formatDays('2026-01-01', '2026-01-02');
}

/** Makes "shippingAddressId" or "shipping_address_id" into "shipping address", in any language. */
export function wordsOf(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([a-z])(\d)/g, '$1 $2')
    .replace(/[_.]+/g, ' ')
    .trim()
    .toLowerCase()
    .replace(/ (id|minor)$/, '');
}

/** Makes it into "Shipping address", in the language of the window if that has a word for it. */
export function humanize(name: string): string {
  const words = wordsOf(name);
  return translateFromGo(words.charAt(0).toUpperCase() + words.slice(1));
}

/** Words that stand alone begin with a large letter. */
export const alone = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

/** The same for the middle of a sentence: only English writes it in lower case. */
export function inSentence(name: string): string {
  return i18n.locale === 'en' ? wordsOf(name) : humanize(name);
}
