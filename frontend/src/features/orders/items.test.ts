import { describe, expect, it } from 'vitest';
import {
  alternativesOf,
  differenceText,
  lineName,
  openRequest,
  paidBy,
  pickedLines,
  requestLines,
  soleItem,
  swappedLines,
  unshipped,
} from './items';

const usd = (amount: number) => ({
  amount,
  currency: 'USD',
  text: `${amount < 0 ? '-' : ''}$${Math.abs(amount) / 100}`,
});
const line = (variantId: string, quantity: number) => ({
  ...{ id: variantId, lineId: variantId, variantId, productId: 'guji', name: 'Guji', label: variantId, quantity },
  ...{ price: usd(1800), total: usd(1800 * quantity), discount: usd(0), tax: usd(0) },
});
const lines = [line('250 g', 3), line('1 kg', 1)];
const parcel = (...variantIds: string[]) => ({ at: 0, variantIds, lineIds: variantIds });

describe('an open item', () => {
  const wrap = { ...line('', 2), lineId: 'lin_7', productId: '', name: 'Gift wrap' };
  it('is picked, shipped and named by the id of its line', () => {
    expect(pickedLines([...lines, wrap], { '1 kg': 1, lin_7: 2 })).toEqual([
      { variantId: '1 kg', quantity: 1 },
      { lineId: 'lin_7', quantity: 2 },
    ]);
    const shipped = { ...parcel('250 g'), lineIds: ['250 g', 'lin_7'] };
    expect(unshipped({ lines: [...lines, wrap], fulfilments: [shipped] })).toEqual([lines[1]]);
    expect(soleItem([{ ...wrap, quantity: 1 }])).toEqual({ lin_7: 1 });
  });
});

describe('what is not shipped yet', () => {
  it('is everything before the first parcel', () => expect(unshipped({ lines, fulfilments: [] })).toEqual(lines));
  it('is what was in none', () =>
    expect(unshipped({ lines, fulfilments: [parcel('1 kg')] }).map(lineName)).toEqual(['Guji, 250 g']));
  it('is nothing after one with everything', () => expect(unshipped({ lines, fulfilments: [parcel()] })).toEqual([]));
});

describe('what was picked', () => {
  it('is the only piece there is, and nothing where there is a choice', () => {
    expect(soleItem([line('1 kg', 1)])).toEqual({ '1 kg': 1 });
    expect([soleItem([line('250 g', 3)]), soleItem(lines), soleItem([])]).toEqual([{}, {}, {}]);
  });
  it('leaves out what stays', () =>
    expect(pickedLines(lines, { '250 g': 2, '1 kg': 0 })).toEqual([{ variantId: '250 g', quantity: 2 }]));
  it('becomes something else with all its pieces, unless fewer are meant', () => {
    const swaps = { '250 g': '1 kg', '1 kg': null };
    expect(swappedLines(lines, swaps, {})).toEqual([{ variantId: '250 g', newVariantId: '1 kg', quantity: 3 }]);
    expect(swappedLines(lines, swaps, { '250 g': 1 })[0]?.quantity).toBe(1);
  });
  it('becomes another variant of the same product, itself only in an exchange', () => {
    const others = ['250 g', '1 kg'].map((id) => ({ id, name: `Guji, ${id}`, price: usd(1800), productId: 'guji' }));
    const mug = { id: 'mug', name: 'Mug', price: usd(900), productId: 'mug' };
    const kilo = { value: '1 kg', label: 'Guji, 1 kg · $18' };
    expect(alternativesOf(line('250 g', 1), [...others, mug], false)).toEqual([kilo]);
    const same = { value: '250 g', label: 'The same again' };
    expect(alternativesOf(line('250 g', 1), [...others, mug], true)).toEqual([same, kilo]);
  });
});

describe('an order', () => {
  it('was paid by the last method that paid', () => {
    const payment = { id: 'p', amount: usd(1), at: 0, label: '' };
    expect(
      paidBy({
        payments: [
          { ...payment, kind: 'payment', paymentMethodId: 'visa' },
          { ...payment, kind: 'refund', paymentMethodId: 'visa' },
          { ...payment, kind: 'payment', paymentMethodId: 'paypal' },
          { ...payment, kind: 'refund', paymentMethodId: 'gift' },
        ],
      }),
    ).toBe('paypal');
  });
  it('has at most one request under way', () => {
    const request = { kind: 'return' as const, difference: usd(-1), lines: [], requestedAt: 0 };
    const open = { ...request, id: 'b', status: 'requested' as const };
    expect(openRequest({ requests: [{ ...request, id: 'a', status: 'received' }, open] })).toBe(open);
    expect(openRequest({ requests: [] })).toBeUndefined();
  });
});

describe('a difference', () => {
  it('is charged, refunded, or nothing', () => {
    expect(differenceText(usd(500), 'Visa ending 4242')).toBe('$5 more, charged to Visa ending 4242.');
    expect(differenceText(usd(-500), 'cash')).toBe('$5 less, refunded to cash.');
    expect(differenceText(usd(0))).toMatch(/the same/);
  });
});

describe('a request', () => {
  const alternatives = [{ id: '5 kg', name: 'Guji, 5 kg', price: usd(8000), productId: 'guji' }];
  const request = { lines: [{ variantId: '250 g', newVariantId: '5 kg', quantity: 2, received: 0 }] };
  it('says what comes back, and what it becomes', () =>
    expect(requestLines({ lines, alternatives }, request)).toEqual(['2 × Guji, 250 g → Guji, 5 kg']));
  it('says so where something is not known any more', () =>
    expect(
      requestLines({ lines: [], alternatives: [] }, { lines: [{ variantId: 'x', quantity: 1, received: 1 }] }),
    ).toEqual(['1 × an item that was changed']));
});

describe('a line beside another of its variant', () => {
  it('is named by its own id, and the first by the variant', () => {
    const lines = [
      { variantId: 'v1', lineId: 'v1' },
      { variantId: 'v1', lineId: 'v1.2' },
    ];
    expect(pickedLines(lines, { v1: 1, 'v1.2': 2 })).toEqual([
      { variantId: 'v1', quantity: 1 },
      { lineId: 'v1.2', quantity: 2 },
    ]);
  });
});
