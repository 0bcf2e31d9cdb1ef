import { describe, expect, it } from 'vitest';
import { importTold, mistakesIn } from './importing';

const imported = {
  ...{ changes: [], dryRun: true, file: 'spring.csv', ignoredColumns: [], images: 0, rows: 9, sha256: '' },
  ...{ productsCreated: 1, productsUpdated: 2, productsUnchanged: 0, variantsCreated: 0, variantsUpdated: 0 },
  ...{ customersCreated: 0, customersUpdated: 0, customersUnchanged: 0, ordersCreated: 0, ordersUnchanged: 0 },
};
const nothing = { ...imported, productsCreated: 0, productsUpdated: 0 };

describe('what an import changes', () => {
  it('is told before', () =>
    expect(importTold(imported, 'products')).toBe('spring.csv would bring 1 new product, 2 changed.'));
  it('is told after', () =>
    expect(importTold({ ...nothing, dryRun: false, ordersCreated: 2, ordersUnchanged: 3 }, 'orders')).toBe(
      'spring.csv brought 2 new orders, 3 as before.',
    ));
  it('can be nothing', () => expect(importTold(nothing, 'customers')).toMatch(/nothing/));
});

describe('a mistake in a file', () => {
  it('has its line, and does not say it twice', () =>
    expect(mistakesIn([{ path: '/line/7', message: 'Line 7, column Variant Price: "ten" is not an amount.' }])).toEqual(
      [{ line: 7, text: 'Variant Price: "ten" is not an amount.' }],
    ));
  it('can be about the whole file', () =>
    expect(mistakesIn([{ path: '/file', message: 'It has no rows.' }])).toEqual([{ text: 'It has no rows.' }]));
});
