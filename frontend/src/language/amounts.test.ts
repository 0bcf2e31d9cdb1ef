import { describe, expect, it } from 'vitest';
import { amountIn, translateAmounts } from './amounts';

/** Between an amount and its currency. */
const nbsp = '\u00a0';
const plain = (text: string) => text.replaceAll(nbsp, ' ');

describe('an amount in a text', () => {
  it.each([
    ['$26.39', '26,39 $'],
    ['$1,234,567.00', '1.234.567,00 $'],
    ['-$5.00', '-5,00 $'],
    ['€4.50 and £0.07', '4,50 € and 0,07 £'],
    ['¥1,200', '1.200 ¥'],
    ['CA$8.00, A$8.00, NZ$8.00, MX$8.00', '8,00 CA$, 8,00 AU$, 8,00 NZ$, 8,00 MX$'],
    ['1,250.00 CHF', '1.250,00 CHF'],
    ['1.234 KWD', '1,234 KWD'],
    ['It cost $0.0034.', 'It cost 0,0034 $.'],
    ['(was $5.00; is $6.00)', '(was 5,00 $; is 6,00 $)'],
  ])('is written as the language writes it: %s', (english, german) =>
    expect(plain(translateAmounts(english, 'de'))).toBe(german),
  );

  it.each([
    '$5',
    '$5.5',
    '$12.50.1',
    '$1234.50',
    'US$5.00',
    'x$5.00',
    '$5.00x',
    '5.00 ABC',
    '3 USD',
    '5.00 USDT',
    'SKU-5.00',
  ])('is none: %s', (text) => expect(translateAmounts(text, 'de')).toBe(text));

  it('is written as the page itself writes it', () => {
    for (const [text, minor, currency] of [
      ['$26.39', 2639, 'USD'],
      ['¥1,200', 1200, 'JPY'],
      ['-12.50 CHF', -1250, 'CHF'],
    ] as const) {
      for (const locale of ['de', 'de-AT', 'de-CH', 'en']) {
        expect(translateAmounts(text, locale), locale).toBe(amountIn(locale, minor, currency));
      }
    }
  });
});
