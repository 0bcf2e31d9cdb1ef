/** One thing that can be chosen, by its id. */
export interface Choice {
  value: string;
  label: string;
}

/** What a choice is made from. */
interface Search {
  /** What is typed, and is not the name of what is chosen. */
  words: string;
  /** What is chosen already: where nothing else is typed it is offered, so that the field can name it. */
  chosen?: Choice;
}

/**
 * What may be chosen of what answers the words; undefined while the answer is on its way.
 * Nothing of an earlier answer is offered, and nothing moves below what was marked: Enter
 * never takes what nobody was looking for.
 */
export function choicesFor(found: readonly Choice[] | undefined, { words, chosen }: Search): Choice[] {
  const answer = found ?? [];
  if (words !== '' || !chosen || answer.some(({ value }) => value === chosen.value)) return [...answer];
  return [chosen, ...answer];
}

/** The choices that have every word, for a list that cannot be asked for words. */
export function having(found: readonly Choice[] | undefined, words: string): Choice[] | undefined {
  const each = folded(words).split(/\s+/).filter(Boolean);
  return found?.filter(({ label }) => each.every((word) => folded(label).includes(word)));
}

/** A text without accents and capitals. */
export const folded = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
