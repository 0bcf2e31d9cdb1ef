import { translateAmounts } from './amounts';
import { dateForm } from './dates';
import { i18n, localeOf } from './i18n';

/*
 * The application speaks English: the same words are in the records and go to a model.
 * Here they are translated into the language of the window when they are shown. See docs/decisions/021-sentences.md.
 */

/** Translates a text of the application into the language of the window; an unknown text stays as it is. */
export function translateFromGo<T extends string | undefined>(text: T): T;
export function translateFromGo(text: string | undefined): string | undefined {
  if (!text || i18n.locale === 'en') return text;
  return translateNumbers(speakerNow().say(text));
}

/** The translators for the language of the window. */
function speakerNow(beforeOwn = speaker.beforeOwn) {
  if (speaker.locale !== i18n.locale || speaker.beforeOwn !== beforeOwn) {
    const keys = Object.keys(i18n.messages);
    const translate = (key: string, values: Values) => i18n._(key, values);
    speaker = {
      locale: i18n.locale,
      say: translatorOf(keys, translate),
      sayAround: translatorOf(keys, translate, beforeOwn),
      beforeOwn,
    };
  }
  return speaker;
}

/** Writes the days and amounts in a text as the language of the window does. */
export function translateNumbers<T extends string | undefined>(text: T): T;
export function translateNumbers(text: string | undefined): string | undefined {
  if (!text || i18n.locale === 'en') return text;
  return translateAmounts(translateDates(text, i18n.locale), localeOf(i18n.locale));
}

/** The characters that stand for people's data while a text is translated; texts that hold one stay as they are. */
const HELD = 0xf0000;
const holders = /[\u{f0000}-\u{ffffd}]/gu;

/**
 * Translates a text of the application that holds names and values of people: those stay as they are. So does each name
 * that is not among the data: in the middle of a sentence the application writes no word with a capital letter, but for
 * its own names, behind the words of `beforeOwn`.
 */
export function translateAround(text: string, data: readonly string[], beforeOwn: readonly string[]): string {
  if (i18n.locale === 'en' || text.search(holders) >= 0) return text;
  const say = (one: string) => translateNumbers(speakerNow(beforeOwn).sayAround(one));
  if (say(text) === text) return text;
  const held: string[] = [];
  let marked = text;
  const inside = data.filter((value) => /[^\d\s]/.test(value) && text.includes(value));
  for (const value of [...new Set(inside)].sort((a, b) => b.length - a.length)) {
    const places = placesOf(marked, value);
    // A name may also be a word of the sentence: then one of the places is the name's.
    const tries = [places, places.slice(-1), places.slice(0, 1)].map((some) => putAt(marked, some, value, held.length));
    const found = tries.find((one) => one !== marked && say(one) !== one);
    if (found === undefined) continue;
    marked = found;
    held.push(value);
  }
  return say(marked).replace(holders, (sign) => held[(sign.codePointAt(0) ?? 0) - HELD] ?? sign);
}

/** Whether a text is a key of the catalogue that may also be a name of people. */
export function mayBeName(text: string): boolean {
  return /^\p{Lu}/u.test(text) && Object.hasOwn(i18n.messages, keyOf(text));
}

const isLetter = (character: string | undefined) => character !== undefined && /[\p{L}\p{N}]/u.test(character);

/** The places of a value in a text, but for those inside of a longer word. */
function placesOf(text: string, value: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + value.length)) {
    const end = at + value.length;
    const begins = isLetter(value[0]) && isLetter(text[at - 1]);
    const goesOn = isLetter(value.at(-1)) && isLetter(text[end]);
    if (!begins && !goesOn) places.push(at);
  }
  return places;
}

function putAt(text: string, places: readonly number[], value: string, index: number): string {
  const sign = String.fromCodePoint(HELD + index);
  return places.reduceRight((put, at) => put.slice(0, at) + sign + put.slice(at + value.length), text);
}

const months = Array.from({ length: 12 }, (_, month) => inEnglish(month, { month: 'long' }));
const days = Array.from({ length: 7 }, (_, day) => inEnglish(0, { weekday: 'long' }, day + 1));
const date = new RegExp(`(?:(?:${days.join('|')}), )?\\b(\\d{1,2}) (${months.join('|')}) (\\d{4})\\b`, 'g');

function inEnglish(month: number, format: Intl.DateTimeFormatOptions, day = 1): string {
  return dateForm('en', { ...format, timeZone: 'UTC' }).format(Date.UTC(2026, month, day));
}

/** The days in a text as the language writes them: "Monday, 2 March 2026" is "Montag, 2. März 2026". */
export function translateDates(text: string, locale: string): string {
  return text.replace(date, (written, day: string, month: string, year: string) =>
    dateForm(locale, {
      ...(/^\d/.test(written) ? {} : { weekday: 'long' }),
      ...{ day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' },
    }).format(Date.UTC(Number(year), months.indexOf(month), Number(day))),
  );
}

type Say = (text: string) => string;
type Values = Record<string, string | number>;

let speaker: { locale: string; say: Say; sayAround: Say; beforeOwn: readonly string[] } = {
  locale: 'en',
  say: (text) => text,
  sayAround: (text) => text,
  beforeOwn: [],
};

/** A text with gaps: "Order {0} of {1} was placed." */
interface Template {
  key: string;
  /** The text before, between and after the gaps. */
  fixed: string[];
  gaps: { name: string; count: boolean }[];
  longest: string;
  weight: number;
}

/** So many answers are remembered: a long list of records says the same things again and again. */
const REMEMBERED = 4000;

const keyOf = (text: string) => text.replace(/[{}]+/g, "'$&'");

/**
 * Makes a translator from the keys of a catalogue; `translate` writes a key with its values. With `beforeOwn`, names
 * stay as they are, though a key says the same, but for those behind one of its words.
 */
export function translatorOf(
  keys: readonly string[],
  translate: (key: string, values: Values) => string,
  beforeOwn?: readonly string[],
): Say {
  const known = new Set(keys);
  const templates = keys.flatMap((key) => templateOf(key) ?? []).sort((a, b) => b.weight - a.weight);
  const remembered = new Map<string, string | undefined>();

  /** The text as one of the keys says it, whole or with its gaps filled; undefined when none does. */
  function find(text: string): string | undefined {
    const key = keyOf(text);
    if (known.has(key)) return translate(key, {});
    const parts = sentences(text);
    const whole = parts.length > 1 ? parts.map(remember) : [undefined];
    if (whole.every((part) => part !== undefined)) return whole.join(' ');
    for (const template of templates) {
      const found = text.includes(template.longest) && fill(template, text);
      if (found) return translate(template.key, valuesOf(template, found));
    }
    return undefined;
  }

  function remember(text: string): string | undefined {
    if (!remembered.has(text)) {
      if (remembered.size >= REMEMBERED) remembered.clear();
      remembered.set(text, find(text));
    }
    return remembered.get(text);
  }

  function valuesOf({ gaps, fixed }: Template, found: readonly string[]): Values {
    return Object.fromEntries(
      gaps.map(({ name, count }, i) => {
        const value = found[i] ?? '';
        if (fixed[i + 1]?.startsWith("'s ")) return [name, value]; // a name
        return [name, count ? Number(value) : isOwn(fixed[i] ?? '') ? say(value) : part(value)];
      }),
    );
  }

  const isOwn = (before: string) => beforeOwn?.some((words) => before.toLowerCase().endsWith(`${words} `));

  /** A part of a text, which may be a name. */
  function part(text: string): string {
    return beforeOwn && /^\p{Lu}/u.test(text) && known.has(keyOf(text)) ? text : say(text);
  }

  function say(text: string): string {
    const [, before = '', middle = '', after = ''] = /^(\s*)(.*?)(\s*)$/s.exec(text) ?? [];
    return before + (remember(middle) ?? pieces(middle)) + after;
  }

  /** A text that no key says whole may still be a list of some that do. */
  function pieces(text: string): string {
    const parts = sentences(text);
    if (parts.length > 1) return parts.map(part).join(' ');
    for (const sign of ['; ', ', ']) {
      if (text.includes(sign)) return text.split(sign).map(part).join(sign);
    }
    const [, title = '', rest = ''] = /^(.+?): (.+)$/.exec(text) ?? [];
    return known.has(title) ? `${translate(title, {})}: ${part(rest)}` : text;
  }

  return say;
}

function sentences(text: string): string[] {
  return text.split(/(?<=[.?!]) (?=[\p{Lu}“"])/u);
}

/** Reads a key as a template; undefined for one without numbered gaps. */
function templateOf(key: string): Template | undefined {
  const fixed = [''];
  const gaps: Template['gaps'] = [];
  for (const [token, quoted, name, count] of key.matchAll(/'([{}]+)'|\{(\d+)(, number)?\}|[^'{]+|'|\{/g)) {
    if (token === '{') return undefined; // a message of the window itself, with a name or a plural
    if (name === undefined) {
      fixed[fixed.length - 1] += quoted ?? token;
    } else {
      gaps.push({ name, count: count !== undefined });
      fixed.push('');
    }
  }
  if (gaps.length === 0 || fixed.join('').replace(/[^\p{L}]/gu, '').length < 4) return undefined; // it fits too much
  const longest = fixed.reduce((a, b) => (b.length > a.length ? b : a));
  return { key, fixed, gaps, longest, weight: fixed.join('').length };
}

/** So many places are tried for the end of a gap: a name may hold the words that follow it. */
const TRIES = 200;

/** The values in the gaps of a template if the text matches it, each as short as possible. */
function fill({ fixed, gaps }: Template, text: string): string[] | undefined {
  const found: string[] = [];
  let tries = TRIES;
  function from(gap: number, start: number): boolean {
    if (gap === gaps.length) return start === text.length;
    const next = fixed[gap + 1] ?? '';
    const last = gap === gaps.length - 1;
    for (let end = last ? text.length - next.length : text.indexOf(next, start); end >= start; ) {
      if (tries-- === 0) return false;
      const value = text.slice(start, end);
      const fits = text.startsWith(next, end) && (!gaps[gap]?.count || /^-?\d+$/.test(value));
      if (fits && from(gap + 1, end + next.length)) {
        found[gap] = value;
        return true;
      }
      if (last) return false;
      end = text.indexOf(next, end + 1);
    }
    return false;
  }
  const first = fixed[0] ?? '';
  return text.startsWith(first) && from(0, first.length) ? found : undefined;
}
