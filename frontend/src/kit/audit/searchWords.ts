import { folded } from '../../ui/list/choices';

/*
 * The search takes whole words, prefixes followed by an asterisk and words in quotes. While a person types, the last
 * word is not finished, so the search asks for it as a prefix.
 */
const TERM = /"([^"]*)"?|(\S+)/g;
const WORD = /[\p{L}\p{N}\p{M}]+/gu;
const LONG_ENOUGH = 2; // one letter is the beginning of nearly everything

/** The typed text in the form of the search; undefined if nothing was typed. */
export function searchText(typed: string): string | undefined {
  const text = typed.trim();
  if (text === '') return undefined;
  const last = /[\p{L}\p{N}\p{M}]+$/u.exec(text)?.[0] ?? '';
  const isQuoted = (text.split('"').length - 1) % 2 === 1; // a quotation that is not closed
  const finished = typed.endsWith(' ') || isQuoted;
  return last.length < LONG_ENOUGH || finished ? text : `${text}*`;
}

/** A word that is looked for, folded. */
interface Wanted {
  word: string;
  beginning: boolean;
}

/** The words that a search looks for. */
export function wanted(search: string | undefined): Wanted[] {
  return [...(search ?? '').matchAll(TERM)].flatMap(([, quoted, plain = '']) => {
    const words = (quoted ?? plain).match(WORD) ?? [];
    return words.map((word, i) => ({
      word: folded(word),
      beginning: quoted === undefined && plain.endsWith('*') && i === words.length - 1,
    }));
  });
}

/** A piece of a text, and whether it matches the search. */
export interface Piece {
  text: string;
  found: boolean;
}

/** Cuts a text where the words that are looked for begin and end. Case and accents do not matter. */
export function pieces(text: string, words: readonly Wanted[]): Piece[] {
  const cut: Piece[] = [];
  let end = 0;
  for (const match of words.length > 0 ? text.matchAll(WORD) : []) {
    const plain = folded(match[0]);
    if (!words.some(({ word, beginning }) => (beginning ? plain.startsWith(word) : plain === word))) continue;
    if (match.index > end) cut.push({ text: text.slice(end, match.index), found: false });
    end = match.index + match[0].length;
    cut.push({ text: match[0], found: true });
  }
  if (end < text.length) cut.push({ text: text.slice(end), found: false });
  return cut;
}

/** Whether a text matches any word of a search. */
export function isFound(text: string, search: string | undefined): boolean {
  return pieces(text, wanted(search)).some(({ found }) => found);
}
