import { describe, expect, it } from 'vitest';
import { idFor, percentOf, ppmOf } from './rates';

describe('a rate in percent', () => {
  it.each([
    [80_000, '8'],
    [55_000, '5.5'],
    [0, '0'],
    [88_750, '8.875'],
    [1, '0.0001'],
  ])('%d is %s, and back', (ppm, percent) => {
    expect(percentOf(ppm)).toBe(percent);
    expect(ppmOf(percent)).toBe(ppm);
  });
  it('takes a comma', () => expect(ppmOf('5,5')).toBe(55_000));
  it.each(['', 'ten', '-1', '1.23456', '1000'])('%j is none', (typed) => expect(ppmOf(typed)).toBeUndefined());
});

describe('an id for something new', () => {
  it('is made of its name', () => expect(idFor('Express, 2 days', [])).toBe('express-2-days'));
  it('is unlike those that are taken', () => expect(idFor('Express', ['express', 'express-2'])).toBe('express-3'));
  it('is there for any name', () => expect(idFor('速達', [])).toBe('new'));
});
