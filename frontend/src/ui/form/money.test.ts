import { describe, expect, it } from 'vitest';
import { minorOf, typedOf } from './money';

describe('an amount that is typed', () => {
  it.each([
    ['18.50', 'USD', 1850],
    ['18,5', 'USD', 1850],
    ['18.', 'USD', 1800],
    ['0.07', 'USD', 7],
    ['-3', 'USD', -300],
    ['1200', 'JPY', 1200],
    ['1.234', 'KWD', 1234],
    ['-0', 'USD', 0],
  ])('%s %s', (typed, currency, minor) => expect(minorOf(typed, currency)).toBe(minor));
  it.each([
    ['', 'USD'],
    ['ten', 'USD'],
    ['1.234', 'USD'],
    ['1.5', 'JPY'],
    ['1,000.00', 'USD'],
    ['1e3', 'USD'],
  ])('%j in %s is none', (typed, currency) => expect(minorOf(typed, currency)).toBeUndefined());
});

describe('an amount to type over', () => {
  it.each([
    [1850, 'USD', '18.50'],
    [7, 'USD', '0.07'],
    [-300, 'USD', '-3.00'],
    [1200, 'JPY', '1200'],
  ])('%d %s', (minor, currency, typed) => {
    expect(typedOf(minor, currency)).toBe(typed);
    expect(minorOf(typed, currency)).toBe(minor);
  });
});
