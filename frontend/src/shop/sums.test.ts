import { describe, expect, it } from 'vitest';
import { usd } from './fake/data';
import { sumsOf } from './sums';

const sums = { subtotal: usd(1200), discount: usd(0), shipping: usd(0), tax: usd(191), taxIncluded: true };

describe('sumsOf', () => {
  it('says of tax in the prices that it is included, and nothing of shipping that costs nothing', () =>
    expect(sumsOf(sums)).toEqual([
      ['Subtotal', '$12.00'],
      ['Tax included', '$1.91'],
    ]));
  it('takes a discount off, with its reason, and adds shipping and tax', () =>
    expect(
      sumsOf({ ...sums, discount: usd(300), discountReason: 'staff', shipping: usd(450), taxIncluded: false }),
    ).toEqual([
      ['Subtotal', '$12.00'],
      ['Discount · staff', '−$3.00'],
      ['Shipping', '$4.50'],
      ['Tax', '$1.91'],
    ]));
  it('has no line for included tax of nothing', () =>
    expect(sumsOf({ ...sums, tax: usd(0) })).toEqual([['Subtotal', '$12.00']]));
});
