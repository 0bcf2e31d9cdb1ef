import { describe, expect, it, onTestFinished } from 'vitest';
import { i18n } from '../../language/i18n';
import { importTold, mistakesIn } from './importing';

const imported = {
  ...{
    changes: [],
    dryRun: true,
    file: 'spring.csv',
    ignoredColumns: [],
    images: 0,
    imagesKept: 0,
    rows: 9,
    sha256: '',
  },
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
  it('is said in the language of the window, but for the name of its column', () => {
    onTestFinished(() => i18n.activate('en'));
    i18n.load('de', { '{0} was paid.': '{0} sind bezahlt.' });
    i18n.activate('de');
    const message = (column: string) => `Line 7${column}: $5.00 was paid.`;
    const texts = [', column Refunded Amount', ''].map((column) =>
      mistakesIn([{ path: '/line/7', message: message(column) }]),
    );
    expect(texts.flat().map(({ text }) => text)).toEqual([
      'Refunded Amount: 5,00\u00a0$ sind bezahlt.',
      '5,00\u00a0$ sind bezahlt.',
    ]);
  });
  it('can be about the whole file', () =>
    expect(mistakesIn([{ path: '/file', message: 'It has no rows.' }])).toEqual([{ text: 'It has no rows.' }]));
});
