import { describe, expect, it } from 'vitest';
import { countsText, outcomeOf, skippedText, type TriedSentence } from './tried';

const sentence = (outcome: TriedSentence['outcome']): TriedSentence => ({
  text: 'x',
  at: 0,
  conversationId: 'c',
  turnId: 't',
  outcome,
  recorded: [],
  tried: [],
});

describe('what a tried model came to', () => {
  it('is counted in one sentence', () => {
    const sentences = [sentence('same'), sentence('unasked')];
    const counts = { same: 1, askedMore: 0, different: 0, unasked: 1 };
    expect(countsText({ ...counts, sentences, skipped: {}, tokens: {} })).toBe(
      '2 sentences tried: 1 the same, 0 asked more, 0 different, 1 unasked.',
    );
  });
  it('stands out where it was unasked', () => {
    expect(outcomeOf(sentence('unasked')).color).toBe('brick');
    expect(outcomeOf(sentence('same')).text).toBe('Same');
  });
  it('says why sentences were not tried, and nothing when all were', () => {
    expect(skippedText({ skipped: { outside: 2, gone: 1 } })).toBe(
      'Not tried: reached outside (2), conversation removed (1).',
    );
    expect(skippedText({ skipped: {} })).toBeUndefined();
  });
});
