import { afterEach, describe, expect, it } from 'vitest';
import { i18n } from './i18n';
import { type NumberLimits, readNumber, typedNumber } from './numbers';
import cases from './numbers.json';

interface Case extends NumberLimits {
  locale: string;
  text: string;
  value?: number;
  refused?: string;
}

describe('a number that is typed', () => {
  it.each(cases as Case[])('$text in $locale, $decimals decimals: $value $refused', (one) => {
    const { locale, text, value, refused, ...limits } = one;
    const read = readNumber(text, locale, limits);
    expect({ value: read.value, refused: read.refused }).toEqual({ value, refused });
    expect(read.reason === undefined).toBe(refused === undefined);
  });
  it('may have its unit behind it', () => {
    for (const text of ['12,5%', '12.5 %', ' 12,5 % '])
      expect(readNumber(text, 'en', { decimals: 1, unit: '%' }).value).toBe(12.5);
    expect(readNumber('%', 'en', { unit: '%' }).value).toBeUndefined();
    expect(readNumber('12 %', 'en').refused).toBe('notNumber');
  });
  it.each(['', '  '])('is none in %j, and nothing is wrong', (text) => expect(readNumber(text, 'en')).toEqual({}));
});

describe('the reason of a refusal', () => {
  afterEach(() => i18n.activate('en'));
  it.each([
    ['x', 0, 'Not a number'],
    ['1,5', 0, 'Whole numbers only'],
    ['1.234', 0, 'This may mean 1,234 or 1.234. For 1,234 type 1234.'],
    ['0.555', 2, 'Too many decimal places: at most 2'],
    ['0', 0, 'At least 1'],
    ['5000', 0, 'At most 1,250'],
  ])('of %s', (text, decimals, reason) =>
    expect(readNumber(text, 'en', { decimals, min: 1, max: 1250 }).reason).toBe(reason),
  );
  it('is in the language of the window', async () => {
    const { messages } = await import('./de.po');
    i18n.load('de', messages);
    i18n.activate('de');
    for (const [text, decimals, reason] of [
      ['x', 0, 'Keine Zahl'],
      ['1.5', 0, 'Nur ganze Zahlen'],
      ['1,234', 0, 'Das kann 1.234 oder 1,234 heißen. Für 1.234 bitte 1234 eingeben.'],
      ['0,555', 2, 'Zu viele Nachkommastellen: höchstens 2'],
      ['0', 0, 'Mindestens 1'],
      ['5000', 0, 'Höchstens 1.250'],
    ] as const)
      expect(readNumber(text, 'de', { decimals, min: 1, max: 1250 }).reason).toBe(reason);
  });
});

describe('a number to type over', () => {
  it.each([
    [18.5, 'en', 2, '18.50'],
    [18.5, 'de', 2, '18,50'],
    [1250, 'de', 0, '1250'],
    [-3, 'sv', 2, '-3,00'],
    [1.234, 'de', 3, '1,234'],
    [1.234, 'en', 3, '1.234'],
    [12.5, 'de-CH', 0, '12.5'],
  ])('%d in %s', (value, locale, decimals, typed) => {
    expect(typedNumber(value, locale, decimals)).toBe(typed);
    expect(readNumber(typed, locale, { decimals: Math.max(decimals, 1) }).value).toBe(value);
  });
});
