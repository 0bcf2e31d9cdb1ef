import { translateFromGo } from '../../language/translateFromGo';

/** A label before what it names: "Cart total: $47.83." */
const labelled = /^([^:.]{1,30}): (.+)$/;

/** Translates what the built-in assistant passes on of an answer, sentence by sentence; its own words are the person's language. */
export function translateReply(text: string): string {
  return text.replace(/^(\s*- )?(.+)$/gm, (_, bullet = '', line: string) => bullet + sentences(line));
}

function sentences(line: string): string {
  return line
    .split(/(?<=[.?!]) (?=[\p{Lu}\d“"])/u)
    .map((sentence) => {
      const [, label, rest = ''] = labelled.exec(sentence) ?? [];
      return label ? `${translateFromGo(label)}: ${translateFromGo(rest)}` : translateFromGo(sentence);
    })
    .join(' ');
}
