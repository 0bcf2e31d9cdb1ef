import { amountIn } from './amounts';
import { i18n, localeOf } from './i18n';
import { own } from './own';

/** A sentence of the application: its English with numbered gaps, which is its key in the catalogues, and their values. */
export interface Sentence {
  key: string;
  values?: readonly SentenceValue[];
  /** The titles of the capabilities that the key names. */
  titles?: Readonly<Record<string, string>>;
}

/** A text of people, a number, a sentence within the sentence, or an amount of money. */
export type SentenceValue = string | number | Sentence | { amount: number; currency: string };

/** Renders a sentence in the language of the window. Texts of people are never translated. */
export function renderSentence({ key, values = [], titles = {} }: Sentence): string {
  const written = values.map(writtenValue);
  if (!Object.hasOwn(i18n.messages, key)) return fill(withTitles(key, titles), written);
  if (Object.keys(titles).length === 0) return i18n._(key, { ...written });
  // The titles go into the words of the sentence and not into its values: those are put in afterwards.
  const held = written.map((value, gap) => (typeof value === 'string' ? String.fromCodePoint(HELD + gap) : value));
  return withTitles(i18n._(key, { ...held }), titles).replace(holders, (sign) =>
    String(written[(sign.codePointAt(0) ?? 0) - HELD] ?? sign),
  );
}

/** Renders one of the values of a sentence. */
export const renderValue = (value: SentenceValue) => String(writtenValue(value));

function writtenValue(value: SentenceValue): string | number {
  if (typeof value !== 'object') return value;
  if ('key' in value) return renderSentence(value);
  return amountIn(localeOf(i18n.locale), value.amount, value.currency);
}

/** Fills the gaps of a key that no catalogue has. */
function fill(key: string, values: readonly (string | number)[]): string {
  return key.replace(/'([{}]+)'|\{(\d+)(?:, number)?\}/g, (_, quoted: string | undefined, gap: string) =>
    quoted === undefined ? String(values[Number(gap)] ?? '') : quoted,
  );
}

const capabilityName = /\b[a-z]\w*(?:\.[a-z]\w*)+\b/gi;

function withTitles(words: string, titles: Readonly<Record<string, string>>): string {
  return words.replace(capabilityName, (name) => {
    const title = own(titles, name);
    return title === undefined ? name : i18n._('“{title}”', { title: renderSentence({ key: title }) });
  });
}

/** The characters that stand for the values of a sentence while titles are put into it. */
const HELD = 0xf0000;
const holders = /[\u{f0000}-\u{ffffd}]/gu;
