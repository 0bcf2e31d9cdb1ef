import { readFileSync } from 'node:fs';
import { translateAmounts } from '../src/language/amounts';
import { translateDates, translatorOf } from '../src/language/translateFromGo';

/** The catalogues, English to German. */
export const words = new Map(
  ['src/language/de.po', 'src/shop/de.po']
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n\n')
    .split('\n\n')
    .flatMap((entry): [string, string][] => {
      const [, id, text] = /msgid ((?:".*"\n?)+)msgstr ((?:".*"\n?)+)/.exec(entry) ?? [];
      return id && text && unquoted(id) ? [[unquoted(id), unquoted(text)]] : [];
    }),
);

function unquoted(lines: string): string {
  return lines
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as string)
    .join('');
}

/** The German of a word of the window. */
export function de(english: string): string {
  const german = words.get(english);
  if (!german) throw new Error(`de.po has no “${english}”`);
  return german;
}

/** A message with one choice of each plural taken: "# row" and "# rows" are two. */
function choices(message: string): string[] {
  const [whole, name = '', branches = ''] = /\{(\w+), plural, ((?:\w+ \{[^{}]*\} ?)+)\}/.exec(message) ?? [];
  if (!whole) return [message];
  return [...branches.matchAll(/\w+ \{([^{}]*)\}/g)].flatMap(([, branch = '']) =>
    choices(message.replace(whole, branch.replaceAll('#', `{${name}}`))),
  );
}

/** The gaps of a message by numbers, as a text is read back by them. */
const numbered = new Map<string, string>();
for (const [english, german] of words) {
  const [keys, texts] = [choices(english), choices(german)];
  for (const [at, key] of keys.entries()) {
    const names = [...key.matchAll(/\{(\w+)(?:, number)?\}/g)].map(([, name]) => name);
    const number = (text: string) => text.replace(/\{(\w+)(, number)?\}/g, (_, name) => `{${names.indexOf(name)}}`);
    numbered.set(number(key), number(texts[at] ?? texts[0] ?? ''));
  }
}

const say = translatorOf([...numbered.keys()], (key, values) =>
  (numbered.get(key) ?? key)
    .replace(/\{(\d+)\}/g, (gap, name) => String(values[name] ?? gap))
    .replace(/'([{}]+)'/g, '$1'),
);

/** A text that the window shows in English, as it shows it in German: one that is no word of the window stays. */
export function inGerman(text: string): string {
  return translateAmounts(translateDates(say(text), 'de'), 'de');
}
