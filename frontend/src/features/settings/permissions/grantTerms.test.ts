import { describe, expect, it } from 'vitest';
import { termsText } from '../../../kit/grants/bounds';
import { endedText, type Grant, usedText } from './grantTerms';

const grant: Grant = {
  ...{ id: 'g', capability: 'order.cancel', createdAt: 0, createdBy: 'mara', text: '', status: 'active' as const },
  grantee: { endpoint: 'built-in', model: 'built-in assistant' },
  constraints: { amount: { max: { amount: 5000, currency: 'USD' } }, customerId: 'cus_ana' },
  limits: { uses: 3, budget: { amount: 10000, currency: 'USD' } },
  ...{ until: Date.UTC(2026, 10, 20, 12), used: 1, spent: 4783 },
};

it('says what a grant allows in one line', () =>
  expect(termsText(grant)).toMatch(
    /^Customer: cus_ana · Each at most: \$50\.00 · In all at most: \$100\.00 · How often: 3 times · Until: /,
  ));

describe('usedText', () => {
  it('counts uses and money', () => expect(usedText(grant)).toBe('Used once of 3, $47.83 of $100.00'));
  it('says that it was not used', () => expect(usedText({ ...grant, used: 0, limits: {} })).toBe('Not used yet'));
});

it('says why a grant does not hold', () => {
  expect(endedText(grant)).toBeUndefined();
  expect(endedText({ ...grant, status: 'expired' })).toBe('over');
  expect(endedText({ ...grant, inoperative: true })).toBe('cannot be used any more');
});
