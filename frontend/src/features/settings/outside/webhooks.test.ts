import { describe, expect, it } from 'vitest';
import { type Hook, hooksOf, wrongIn } from './webhooks';

const id = { type: 'string', pattern: '^[a-z0-9-]{1,40}$' };
const hooks = { items: { properties: { id } } };
const schema = { properties: { values: { properties: { hooks } } } };
const wrong = (rows: readonly Hook[]) => wrongIn(rows, schema);
const hook: Hook = { id: 'warehouse', url: 'https://example.com/orders', secret: '', kept: true };

describe('wrongIn', () => {
  it('finds nothing wrong with what is whole', () => expect(wrong([hook])).toBeUndefined());
  it('wants a name and an address', () => expect(wrong([{ ...hook, url: ' ' }])).toMatch(/every name and address/));
  it('wants a name that can be said', () => expect(wrong([{ ...hook, id: 'The Warehouse' }])).toMatch(/small letters/));
  it('wants a name as short as the application takes', () =>
    expect(wrong([{ ...hook, id: 'w'.repeat(41) }])).toMatch(/short/));
  it('leaves the name to the application where nothing is said of it', () =>
    expect(wrongIn([{ ...hook, id: 'The Warehouse' }], undefined)).toBeUndefined());
  it('wants a secret', () => expect(wrong([{ ...hook, kept: false }])).toMatch(/secret/));
});

it('leaves a secret that was not typed as it was', () => {
  expect(hooksOf([hook])).toEqual([{ id: 'warehouse', url: 'https://example.com/orders' }]);
  expect(hooksOf([{ ...hook, secret: 'a long enough one' }])[0]).toHaveProperty('secret');
});
