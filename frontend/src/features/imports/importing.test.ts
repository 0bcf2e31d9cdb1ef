import { describe, expect, it, onTestFinished } from 'vitest';
import { i18n } from '../../language/i18n';
import { importTold, leftOutOf, mistakesIn } from './importing';

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
    rowsLeftOut: 0,
    leftOut: [],
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
  it('can be that no row can be taken', () =>
    expect(importTold({ ...nothing, rowsLeftOut: 1 }, 'customers')).toBe('Nothing of spring.csv can be taken.'));
  it('can be nothing', () => expect(importTold(nothing, 'customers')).toMatch(/nothing/));
});

describe('a row that is left out', () => {
  it('says what it is about', () =>
    expect(
      leftOutOf({
        leftOut: [
          { line: 7, of: '#US1001', column: 'Total', value: '5', reason: 'It is wrong.' },
          { line: 8, reason: 'It has 2 cells.' },
        ],
      }),
    ).toEqual([
      { line: 7, text: '#US1001: Total: It is wrong.' },
      { line: 8, text: 'It has 2 cells.' },
    ]));
});

describe('a mistake in a file', () => {
  const wrong = { key: '{0} was paid.', values: [{ amount: 500, currency: 'USD' }] };
  const message = 'Line 7, column Refunded Amount: $5.00 was paid.';
  const found = () => [
    {
      path: '/line/7',
      message,
      sentence: { key: 'Line {0, number}, column {1}: {2}', values: [7, 'Refunded Amount', wrong] },
    },
    { path: '/line/7', message, sentence: { key: 'Line {0, number}: {1}', values: [7, wrong] } },
  ];
  it('has its line, and does not say it twice', () =>
    expect(mistakesIn(found())).toEqual([
      { line: 7, text: 'Refunded Amount: $5.00 was paid.' },
      { line: 7, text: '$5.00 was paid.' },
    ]));
  it('is said in the language of the window, but for the name of its column', () => {
    onTestFinished(() => i18n.activate('en'));
    i18n.load('de', { '{0} was paid.': '{0} sind bezahlt.', 'Refunded Amount': 'Erstattet' });
    i18n.activate('de');
    expect(mistakesIn(found()).map(({ text }) => text)).toEqual([
      'Refunded Amount: 5,00\u00a0$ sind bezahlt.',
      '5,00\u00a0$ sind bezahlt.',
    ]);
  });
  it('can be about the whole file', () =>
    expect(mistakesIn([{ path: '/file', message: 'It has no rows.' }])).toEqual([{ text: 'It has no rows.' }]));
});
