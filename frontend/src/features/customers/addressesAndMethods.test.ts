import { describe, expect, it } from 'vitest';
import { aboutMethod, kindText, type MethodDraft, methodMissing, methodSent, sentAgain } from './addressesAndMethods';

const draft: MethodDraft = { kind: 'paypal', brand: 'Visa ', lastFour: '4242', balance: 2500, preferred: true };

describe('a saved address', () => {
  it('is sent again without what the application added', () =>
    expect(
      sentAgain({
        ...{ id: 'adr_1', label: '', line1: '1 Oak Ave', city: 'Portland', postalCode: '97201', country: 'US' },
        ...{ text: '1 Oak Ave, Portland', default: true },
      }),
    ).toEqual({ line1: '1 Oak Ave', city: 'Portland', postalCode: '97201', country: 'US' }));
});

describe('a new payment method', () => {
  it('is sent with what its kind has, and nothing that was typed for another', () => {
    expect(methodSent(draft, 'ana', 'USD')).toEqual({ customerId: 'ana', kind: 'paypal', default: true });
    expect(methodSent({ ...draft, kind: 'card' }, 'ana', 'USD')).toMatchObject({ brand: 'Visa', lastFour: '4242' });
    expect(methodSent({ ...draft, kind: 'giftCard' }, 'ana', 'USD')).toEqual({
      ...{ customerId: 'ana', kind: 'giftCard', default: true },
      balance: { amount: 2500, currency: 'USD' },
    });
  });
  it('says what is missing of its kind', () => {
    expect(methodMissing(draft)).toBeUndefined();
    expect(methodMissing({ ...draft, kind: 'card', lastFour: '' })).toMatch(/Last four/);
    expect(methodMissing({ ...draft, kind: 'giftCard', balance: undefined })).toMatch(/Balance/);
  });
  it('reads by its own name when it is not known', () => expect(kindText('voucher')).toBe('voucher'));
});

describe('a saved payment method', () => {
  const method = { id: 'pm_1', kind: 'giftCard', label: 'Gift card' };
  it('says no word twice, and what is left', () =>
    expect(aboutMethod({ ...method, balance: { amount: 2550, currency: 'USD', text: '$25.50' } })).toBe('$25.50 left'));
  it('says its kind where it is called otherwise', () =>
    expect(aboutMethod({ ...method, kind: 'card', label: 'Visa ending 4242' })).toBe('Card'));
});
