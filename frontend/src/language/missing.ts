import { i18n } from './i18n';

/** Says which words no record has, where a search found nothing; undefined where each word is of some record. */
export function missingText(words: readonly string[] = []): string | undefined {
  if (words.length === 0) return undefined;
  const quoted = words.map((word) => i18n._('“{word}”', { word })).join(', ');
  return words.length === 1
    ? i18n._('No record has the word {words}.', { words: quoted })
    : i18n._('No record has any of the words {words}.', { words: quoted });
}
