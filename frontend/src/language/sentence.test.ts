import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { messages as kit } from './de.po';
import { i18n } from './i18n';
import { renderSentence, type Sentence } from './sentence';

/** The table that Go renders too, in bus/text_test.go. */
const examples: { sentence: Sentence; english: string; german: string; values: string[] }[] = JSON.parse(
  readFileSync(new URL('../../../bus/testdata/sentences.json', import.meta.url), 'utf8'),
);

beforeAll(async () => {
  const { messages: shop } = await import('../shop/de.po');
  i18n.load('de', { ...kit, ...shop });
  i18n.activate('de');
});
afterAll(() => i18n.activate('en'));

describe('a sentence of the application', () => {
  it.each(examples)('in German: $german', ({ sentence, german, english, values }) => {
    const said = renderSentence(sentence);
    expect(said).toBe(german);
    for (const value of values) for (const rendered of [said, english]) expect(rendered).toContain(value);
  });

  it('has the same values in each language, whichever sentence it is', () => {
    const numbered = Object.keys(i18n.messages).filter((key) => /\{\d+(?:, number)?\}/.test(key));
    expect(numbered.length).toBeGreaterThan(500);
    for (const key of numbered) {
      const gaps = [...key.matchAll(/\{(\d+)(, number)?\}/g)].map(([, gap, count]) => ({ gap: Number(gap), count }));
      const values: (string | number)[] = [];
      for (const { gap, count } of gaps) values[gap] = count ? 70 + gap : `<${gap} A filter was deleted.>`;
      const german = renderSentence({ key, values: Array.from(values, (value) => value ?? '') });
      for (const { gap } of gaps) expect(german, key).toContain(String(values[gap]));
    }
  });

  it('is written in English where no catalogue has it, whatever its key is', () => {
    for (const key of ['constructor', '__proto__', 'toString']) expect(renderSentence({ key })).toBe(key);
    expect(renderSentence({ key: '{0} of {1, number}', values: ['{1}'] })).toBe('{1} of ');
  });
});
