import { folded } from '../../ui/list/choices';

/** How well something matches what was typed, the best first. */
export const MATCH = { exact: 0, prefix: 1, word: 2, inside: 3, typo: 4, description: 5, none: 6 } as const;

/** A thing that is sought by its title, its technical name, and last by what is said of it. */
export interface Searched {
  title: string;
  name?: string;
  description?: string;
}

/** The fewest letters that are sought in the middle of a word. */
const INSIDE_FROM = 3;

const wordsOf = (text: string) => text.split(/[^\p{L}\p{N}]+/u).filter(Boolean);

/** How well something matches a text: as its worst word does, and best when it begins with the whole text. */
export function matchOf(text: string, { title, name = '', description = '' }: Searched): number {
  const typed = folded(text).trim();
  const known = [folded(title), folded(name)];
  if (known.includes(typed)) return MATCH.exact;
  if (known.some((one) => one.startsWith(typed))) return MATCH.prefix;
  const titleWords = known.flatMap(wordsOf);
  const allowed = (word: string) => {
    if (titleWords.some((one) => one.startsWith(word))) return MATCH.word;
    if (word.length >= INSIDE_FROM && known.some((one) => one.includes(word))) return MATCH.inside;
    if (titleWords.some((one) => beginsAlmost(one, word))) return MATCH.typo;
    return wordsOf(folded(description)).some((one) => one.startsWith(word)) ? MATCH.description : MATCH.none;
  };
  return Math.max(...typed.split(/\s+/).map(allowed));
}

/** The things that match a text, the best first; those that match alike stay in their sequence. */
export function matching<T>(items: readonly T[], text: string, searched: (item: T) => Searched): T[] {
  return items
    .map((item) => ({ item, match: matchOf(text, searched(item)) }))
    .filter(({ match }) => match < MATCH.none)
    .sort((a, b) => a.match - b.match)
    .map(({ item }) => item);
}

/** The typing errors that are forgiven in a word. */
function forgiven({ length }: string): number {
  if (length < 4) return 0;
  return length < 8 ? 1 : 2;
}

/**
 * Whether a word begins with what was typed, but for the errors that are forgiven: a letter too many, one missing, one
 * for another, or two exchanged.
 */
function beginsAlmost(word: string, typed: string): boolean {
  const most = forgiven(typed);
  if (most === 0) return false;
  let last: number[] = [];
  let row = Array.from({ length: word.length + 1 }, (_, index) => index);
  const of = (numbers: readonly number[], index: number) => numbers[index] ?? Number.POSITIVE_INFINITY;
  for (let i = 1; i <= typed.length; i += 1) {
    const [before, above] = [last, row];
    row = [i];
    for (let j = 1; j <= word.length; j += 1) {
      const changed = of(above, j - 1) + (typed[i - 1] === word[j - 1] ? 0 : 1);
      const exchanged = i > 1 && j > 1 && typed[i - 1] === word[j - 2] && typed[i - 2] === word[j - 1];
      row.push(Math.min(changed, of(above, j) + 1, of(row, j - 1) + 1, exchanged ? of(before, j - 2) + 1 : changed));
    }
    last = above;
  }
  return Math.min(...row) <= most;
}
