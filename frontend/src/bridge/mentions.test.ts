import { describe, expect, it } from 'vitest';
import { type Mention, mentionAt, partsOf, plainText, sentenceOf, typedOf, withMention } from './mentions';

const ana: Mention = { entity: 'customer', id: 'c1', name: 'Ana' };
const anaRuiz: Mention = { entity: 'customer', id: 'c2', name: 'Ana Ruiz' };

describe('sentenceOf', () => {
  it('puts ids behind the names of records, the longer of two names first', () =>
    expect(sentenceOf('Call @Ana Ruiz, then @Ana; not @Bo', [ana, anaRuiz])).toBe(
      'Call @[Ana Ruiz](customer:c2), then @[Ana](customer:c1); not @Bo',
    ));
  it('leaves out records that were deleted from the text', () =>
    expect(sentenceOf('Call Ana', [ana])).toBe('Call Ana'));
});

describe('partsOf', () => {
  it('finds the records in a sentence', () => {
    expect(partsOf('@[Ana](customer:c1) and @[Ana Ruiz](customer:c2)!')).toEqual([ana, ' and ', anaRuiz, '!']);
    expect(partsOf('[a](b:c) @[x] (y:z)')).toEqual(['[a](b:c) @[x] (y:z)']);
  });
  it('is undone by typing it again', () => {
    const sentence = 'Call @[Ana](customer:c1), @[Ana](customer:c9)';
    const { text, mentions } = typedOf(sentence);
    expect(text).toBe('Call @Ana, @Ana c9');
    expect(sentenceOf(text, mentions)).toBe('Call @[Ana](customer:c1), @[Ana c9](customer:c9)');
    expect(plainText(sentence)).toBe(text);
  });
});

describe('withMention', () => {
  it('puts a name in place of the words, without what would end it', () =>
    expect(withMention('Call @a', 5, [], { entity: 'folder', id: 'f1', name: 'Tax [2026]\n@home' })).toEqual({
      text: 'Call @Tax 2026 home',
      mentions: [{ entity: 'folder', id: 'f1', name: 'Tax 2026 home' }],
    }));
});

describe('mentionAt', () => {
  it('reads the words behind an @ that begins a word', () => {
    expect(mentionAt('Call @ana r', [])).toEqual({ from: 5, words: 'ana r' });
    expect(mentionAt('@7', [])).toEqual({ from: 0, words: '7' });
  });
  it('is none in an address, behind nothing, on a line before, and behind a record that was chosen', () => {
    for (const text of ['ana@example.org', 'Call @', 'Call @ ana', '@ana\nnow', '@Ana now']) {
      expect(mentionAt(text, [ana]), text).toBeUndefined();
    }
  });
});
