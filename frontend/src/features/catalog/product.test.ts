import { describe, expect, it } from 'vitest';
import {
  movementText,
  nameOf,
  priceText,
  signed,
  stockOf,
  stockText,
  type Variant,
  variantName,
  weightText,
} from './product';

const usd = (amount: number) => ({ amount, currency: 'USD', text: `$${(amount / 100).toFixed(2)}` });
const variant = (more: Partial<Variant>): Variant => ({
  ...{ id: 'v', sku: 'G-250', label: '250 g', options: {}, price: usd(1800), available: true },
  ...more,
});

describe('a product in the list', () => {
  it('has one price when all variants cost the same', () =>
    expect(priceText([variant({}), variant({})])).toBe('$18.00'));
  it('has a range else, whatever order they stand in', () =>
    expect(priceText([variant({ price: usd(5400) }), variant({})])).toBe('$18.00 – $54.00'));
  it('adds up what is counted', () =>
    expect(stockText([variant({ stock: 3 }), variant({}), variant({ stock: -1 })])).toBe('2'));
  it('says when nothing is counted', () => expect(stockText([variant({})])).toBe('not counted'));
});

describe('a variant', () => {
  it('is called by its options, its SKU, or as the only one', () => {
    expect(variantName(variant({}))).toBe('250 g');
    expect(variantName(variant({ label: '' }))).toBe('G-250');
    expect(variantName(variant({ label: '', sku: undefined }))).toBe('The only variant');
  });
  it('that is gone has no name', () => {
    const product = { id: 'p', name: 'Guji', optionNames: [], tags: [], variants: [variant({})] };
    expect(nameOf(product, 'v')).toBe('250 g');
    expect(nameOf(product, 'w')).toBe('');
  });
});

describe('the stock of a variant', () => {
  it('is what there is', () =>
    expect([stockOf(variant({ stock: 12 })), stockOf(variant({}))]).toEqual(['12', 'not counted']));
  it('is none, unless it may be sold ahead', () =>
    expect([stockOf(variant({ stock: 0 })), stockOf(variant({ stock: 0, backorder: true }))]).toEqual([
      'sold out',
      '0',
    ]));
  it('below zero is what was sold ahead', () =>
    expect(stockOf(variant({ stock: -2, backorder: true }))).toBe('−2, sold ahead'));
});

describe('a movement of stock', () => {
  it('says why, and what was noted', () =>
    expect(movementText({ at: 0, delta: 3, reason: 'adjustment', note: 'counted', variantId: 'v' })).toBe(
      'Adjustment · counted',
    ));
  it('shows its sign', () => expect([signed(3), signed(-3)]).toEqual(['+3', '−3']));
});

describe('a weight', () => {
  const variant = { weightGrams: 454 } as Parameters<typeof weightText>[0];
  it('is in the unit it is shown in', () => {
    expect(weightText({ ...variant, weightUnit: 'lb' })).toBe('1 lb');
    expect(weightText({ ...variant, weightUnit: 'kg' })).toBe('0.45 kg');
    expect(weightText(variant)).toBe('454 g');
  });
  it('may not be known', () => expect(weightText({ ...variant, weightGrams: undefined })).toBe(''));
});
