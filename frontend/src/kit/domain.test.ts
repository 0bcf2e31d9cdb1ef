import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from '@babel/parser';
import { expect, it } from 'vitest';

const shop = ['order', 'cart', 'checkout', 'customer', 'catalog', 'product', 'sku', 'till', 'clerk'];
const agent = ['agent', 'assistant', 'conversation', 'chat', 'grant', 'approval'];

/** The words of what a file names and says, in small letters; comments are none of it. */
function wordsIn(path: string): string[] {
  const options = { sourceType: 'module', plugins: ['typescript', 'jsx'], tokens: true } as const;
  const tokens = parse(readFileSync(path, 'utf8'), { ...options, plugins: [...options.plugins] }).tokens ?? [];
  return tokens
    .filter((token: { type: unknown }) => !String(token.type).startsWith('Comment'))
    .map((token: { value?: unknown }) => (typeof token.value === 'string' ? token.value : ''))
    .flatMap((text: string) => text.replace(/([a-z0-9])([A-Z])/g, '$1 $2').split(/[^\p{L}]+/u))
    .map((word: string) => word.toLowerCase().replace(/s$/, ''));
}

/** The places under a folder of src/ that use one of some words. */
function usesOf(folder: string, words: readonly string[]): string[] {
  return readdirSync(`src/${folder}`, { recursive: true, withFileTypes: true })
    .filter(({ name }) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name))
    .map(({ parentPath, name }) => join(parentPath, name))
    .flatMap((path) =>
      [...new Set(wordsIn(path))].filter((word) => words.includes(word)).map((word) => `${path}: ${word}`),
    );
}

it('has no word of the shop', () => expect(usesOf('kit', shop)).toEqual([]));
it('and the parts of the window have none of the assistant either', () =>
  expect(usesOf('ui', [...shop, ...agent])).toEqual([]));
