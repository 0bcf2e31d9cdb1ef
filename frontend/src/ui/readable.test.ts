import { describe, expect, it } from 'vitest';
import { readable } from './readable';

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
