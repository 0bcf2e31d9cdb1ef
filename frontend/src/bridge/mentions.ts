import type { RecordRef } from './records';

/** A record that the person chose by name. In what is sent it is "@[Taxes](folder:f1)", in a field "@Taxes". */
export interface Mention extends RecordRef {
  name: string;
}

const FORM = /@\[([^[\]\n]{1,200})\]\(([A-Za-z][A-Za-z0-9_]*):([^()\s]{1,200})\)/g;

/** The parts of a sentence that was sent: texts, and the records in it. */
export function partsOf(sentence: string): (string | Mention)[] {
  const parts: (string | Mention)[] = [];
  let from = 0;
  for (const { 0: form, 1: name = '', 2: entity = '', 3: id = '', index } of sentence.matchAll(FORM)) {
    parts.push(sentence.slice(from, index), { entity, id, name });
    from = index + form.length;
  }
  return [...parts, sentence.slice(from)].filter((part) => part !== '');
}

/** A sentence that was sent as a field shows it, and the records in it. */
export function typedOf(sentence: string): { text: string; mentions: Mention[] } {
  return partsOf(sentence).reduce<{ text: string; mentions: Mention[] }>(
    ({ text, mentions }, part) =>
      typeof part === 'string' ? { text: text + part, mentions } : withMention(text, text.length, mentions, part),
    { text: '', mentions: [] },
  );
}

/** A sentence that was sent as a line of plain text. */
export const plainText = (sentence: string) => typedOf(sentence).text;

/** Puts a record into a text in place of what stands there from `from` on; a namesake of one is told by its id. */
export function withMention(text: string, from: number, mentions: readonly Mention[], picked: Mention) {
  const plain = picked.name.replace(/[[\]@\s]+/g, ' ').trim() || picked.id;
  const namesake = mentions.some(({ name, id }) => name === plain && id !== picked.id);
  const name = namesake ? `${plain} ${picked.id}` : plain;
  const others = mentions.filter((one) => one.name !== name);
  return { text: `${text.slice(0, from)}@${name}`, mentions: [...others, { ...picked, name }] };
}

/** What is sent of a text: each record that still stands in it by its id. Of two names the longer one counts. */
export function sentenceOf(text: string, mentions: readonly Mention[]): string {
  const longest = [...mentions].sort((a, b) => b.name.length - a.name.length);
  let sentence = '';
  for (let at = 0; at < text.length; ) {
    const found = text[at] === '@' ? longest.find(({ name }) => text.startsWith(name, at + 1)) : undefined;
    sentence += found ? `@[${found.name}](${found.entity}:${found.id})` : text[at];
    at += found ? found.name.length + 1 : 1;
  }
  return sentence;
}

/** The words behind an "@" before the caret, and where it stands; undefined if none is being written. */
export function mentionAt(text: string, mentions: readonly Mention[]): { from: number; words: string } | undefined {
  const found = /(?:^|[\s(“"'])@(\p{L}[^@\n]{0,40}|\p{N}[^@\n]{0,40})$/u.exec(text);
  const words = found?.[1];
  if (words === undefined || mentions.some(({ name }) => words.startsWith(name))) return undefined;
  return { from: text.length - words.length - 1, words: words.trim() };
}
