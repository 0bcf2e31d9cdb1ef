import { describe, expect, it } from 'vitest';
import { type Hook, hooksOf, wrongIn } from './hooks';

const hook: Hook = { id: 'warehouse', url: 'https://example.com/orders', secret: '', kept: true };

describe('wrongIn', () => {
  it('finds nothing wrong with what is whole', () => expect(wrongIn([hook])).toBeUndefined());
  it('wants a name and an address', () => expect(wrongIn([{ ...hook, url: ' ' }])).toMatch(/every name and address/));
  it('wants a name that can be said', () =>
    expect(wrongIn([{ ...hook, id: 'The Warehouse' }])).toMatch(/small letters/));
  it('wants a secret', () => expect(wrongIn([{ ...hook, kept: false }])).toMatch(/secret/));
});

it('leaves a secret that was not typed as it was', () => {
  expect(hooksOf([hook])).toEqual([{ id: 'warehouse', url: 'https://example.com/orders' }]);
  expect(hooksOf([{ ...hook, secret: 'a long enough one' }])[0]).toHaveProperty('secret');
});
