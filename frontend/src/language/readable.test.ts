import { describe, expect, it } from 'vitest';
import { isBareId, readable } from './readable';

describe('readable', () => {
  it.each([
    ['money', { amount: 4783, currency: 'USD', text: '$47.83' }, '$47.83'],
    ['a named thing', { id: 'cus_1', name: 'Ana Ruiz' }, 'Ana Ruiz'],
    ['a nameless thing', { productId: 'p1', quantity: 2 }, 'product p1, quantity 2'],
    ['plain values', ['a', 'b'], 'a, b'],
    ['things', [{ name: 'Guji' }, { name: 'Mug' }], 'Guji; Mug'],
    ['an empty list', [], 'none'],
    ['no', false, 'no'],
    ['nothing', null, 'none'],
    ['zero', 0, '0'],
  ])('reads %s', (_, value, text) => expect(readable(value)).toBe(text));
});

describe('isBareId', () => {
  it('is what says nothing to anybody', () =>
    expect([isBareId('heldId', 'cart_y7vp3e0m18'), isBareId('id', 'prd_guji_natural')]).toEqual([true, true]));
  it('is no number of an order, and no other text', () =>
    expect([isBareId('orderId', '#W0001001'), isBareId('label', 'back_at_noon')]).toEqual([false, false]));
});
