import { i18n } from '../language/i18n';
import { own } from '../language/own';
import { renderSentence, type Sentence } from '../language/sentence';

/** The sentences of a document with their keys and values, by the JSON Pointers of their English in it. */
export type Texts = Readonly<Record<string, Sentence>>;

/** A document of the application with its sentences in the language of the window. */
export function inLanguage<T extends { texts?: Texts }>(document: T, { texts } = document): T {
  if (!texts || i18n.locale === 'en') return document;
  return Object.entries(texts).reduce<T>((node, [pointer, sentence]) => {
    const steps = pointer.split('/').slice(1).map(unescapeStep);
    return replaced(node, steps, renderSentence(sentence)) as T;
  }, document);
}

const unescapeStep = (step: string) => step.replaceAll('~1', '/').replaceAll('~0', '~');

/** A copy of a value with another text at a path, if there is a text. */
function replaced(node: unknown, [step, ...rest]: readonly string[], text: string): unknown {
  if (step === undefined) return typeof node === 'string' ? text : node;
  if (node === null || typeof node !== 'object' || !Object.hasOwn(node, step)) return node;
  const child = replaced(own(node as Record<string, unknown>, step), rest, text);
  if (Array.isArray(node)) return node.with(Number(step), child);
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, key === step ? child : value]));
}
