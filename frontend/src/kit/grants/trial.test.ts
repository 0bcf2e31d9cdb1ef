import { describe, expect, it } from 'vitest';
import type { ApprovalEvent } from '../../bridge/approval';
import { countAnswer } from '../approvals/AllowFromNowOn';
import { besidesText, cardsText, type Trial } from './trial';

const trial: Trial = {
  ...{ cards: 41, spared: 38, denied: 3, deniedSpared: [], askFirst: 0, tainted: 0, approver: 0, edited: 0 },
  ...{ usedUp: 0, granted: 0, askedMore: 0, refused: 0, skipped: 0 },
};

describe('cardsText', () => {
  it('says how many are spared, and that none that was denied is', () =>
    expect(cardsText(trial)).toBe('In the last four weeks: 41 cards, 38 spared, none of the 3 denied.'));
  it('says which denied ones are let through', () =>
    expect(cardsText({ ...trial, cards: 1, spared: 0, denied: 1, deniedSpared: ['r'] })).toBe(
      'In the last four weeks: one card, 0 spared, and 1 of the 1 denied let through.',
    ));
  it('says nothing of denied ones where there are none', () =>
    expect(cardsText({ ...trial, denied: 0 })).toBe('In the last four weeks: 41 cards, 38 spared.'));
  it('says that no card was asked', () => expect(cardsText({ ...trial, cards: 0 })).toMatch(/no card was asked/));
});

it('says what it would not spare, and why', () => {
  expect(besidesText(trial)).toBe('');
  expect(besidesText({ ...trial, tainted: 2, askedMore: 7 })).toBe(
    '2 asked all the same: it had read text of others. 7 more would have been asked.',
  );
});

describe('countAnswer', () => {
  const event = (answer: string, type = 'closed') =>
    ({ type, card: { capability: 'order.cancel' }, answer }) as unknown as ApprovalEvent;
  const counted = (...answers: string[]) =>
    answers.reduce((counts, answer) => countAnswer(counts, event(answer)), {} as Record<string, number>);
  it('counts equal answers', () => expect(counted('allow', 'allow')).toEqual({ 'order.cancel': 2 }));
  it('begins again after another answer', () =>
    expect(counted('allow', 'deny', 'allow')).toEqual({ 'order.cancel': 1 }));
  it('counts no card that opens', () => expect(countAnswer({}, event('allow', 'opened'))).toEqual({}));
});
