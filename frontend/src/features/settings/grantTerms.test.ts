import { describe, expect, it } from 'vitest';
import { endedText, type Grant, termsText, usedText } from './grantTerms';

const grant: Grant = {
  ...{ id: 'g', capability: 'order.cancel', createdAt: 0, createdBy: 'mara', text: '', status: 'active' as const },
  grantee: { endpoint: 'built-in', model: 'built-in assistant' },
  constraints: { amount: { max: { amount: 5000, currency: 'USD' } }, customerId: 'cus_ana' },
  limits: { uses: 3, budget: { amount: 10000, currency: 'USD' } },
  ...{ until: Date.UTC(2026, 10, 20, 12), used: 1, spent: 4783 },
};

describe('termsText', () => {
  it('says every bound in words, with names', () =>
    expect(termsText(grant, { cus_ana: 'Ana Ruiz' }).slice(0, 4)).toEqual([
      'Customer: Ana Ruiz',
      'Each at most $50.00',
      '3 times',
      '$100.00 in all',
    ]));
  it('says that there is no end', () =>
    expect(termsText({ ...grant, until: undefined }, {}).at(-1)).toBe('Without an end'));
  it('keeps what it has no words for', () =>
    expect(termsText({ ...grant, constraints: { '/quantity': { in: [1, 2] } } }, {})[0]).toBe('Quantity: in 1, 2'));
});

describe('usedText', () => {
  it('counts uses and money', () => expect(usedText(grant)).toBe('Used once of 3, $47.83 of $100.00'));
  it('says that it was not used', () => expect(usedText({ ...grant, used: 0, limits: {} })).toBe('Not used yet'));
});

it('says why a grant does not hold', () => {
  expect(endedText(grant)).toBeUndefined();
  expect(endedText({ ...grant, status: 'expired' })).toBe('over');
  expect(endedText({ ...grant, inoperative: true })).toBe('cannot be used any more');
});
