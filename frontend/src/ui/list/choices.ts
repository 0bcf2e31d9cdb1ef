/** One thing that can be chosen, by its id. */
export interface Choice {
  value: string;
  label: string;
}

/** The state of a search field for one thing. */
interface Search {
  /** The typed words, empty while the field shows the name of the choice. */
  words: string;
  /** The present choice: offered while nothing else is typed, so that the field can name it. */
  chosen?: Choice;
}

/**
 * The choices among the results for the words; results of earlier words are never offered,
 * and nothing moves below the marked choice: Enter never takes a result of another search.
 */
export function choicesFor(found: readonly Choice[] | undefined, { words, chosen }: Search): Choice[] {
  const answer = found ?? [];
  if (words !== '' || !chosen || answer.some(({ value }) => value === chosen.value)) return [...answer];
  return [chosen, ...answer];
}

/** The choices that have every word, for a list that cannot be asked for words. */
export function having<C extends Choice>(found: readonly C[] | undefined, words: string): C[] | undefined {
  const each = folded(words).split(/\s+/).filter(Boolean);
  return found?.filter(({ label }) => each.every((word) => folded(label).includes(word)));
}

/** A text without accents and capitals. */
export const folded = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
