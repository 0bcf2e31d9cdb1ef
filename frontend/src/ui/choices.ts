/** One thing that can be chosen, by its id. */
export interface Choice {
  value: string;
  label: string;
}

/** What a choice is made from. */
interface Search {
  /** What stands in the field. */
  text: string;
  /** Whether what was found answers that text, and not an earlier one. */
  settled: boolean;
  /** What is chosen already: it stays, so that the field can name it. */
  chosen?: Choice;
}

/**
 * What may be chosen of what was found. While more is typed than was answered, only what
 * has every word of it: Enter never takes what nobody was looking for.
 */
export function choicesFor(found: readonly Choice[], { text, settled, chosen }: Search): Choice[] {
  const words = folded(text).split(/\s+/).filter(Boolean);
  const meant = settled ? found : found.filter(({ label }) => words.every((word) => folded(label).includes(word)));
  const named = chosen && !meant.some(({ value }) => value === chosen.value);
  return named ? [chosen, ...meant] : [...meant];
}

/** A text without accents and capitals. */
const folded = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
