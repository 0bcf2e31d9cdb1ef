import { describe, expect, it } from 'vitest';
import { withNames } from './namesById';

describe('withNames', () => {
  it('puts a name for an id', () => expect(withNames('pm_1', { pm_1: 'Visa' })).toBe('Visa'));
  it('puts names inside lists and things too', () =>
    expect(withNames({ lines: [{ variantId: 'v1', quantity: 2 }] }, { v1: 'Guji, 250 g' })).toEqual({
      lines: [{ variantId: 'Guji, 250 g', quantity: 2 }],
    }));
  it.each(['constructor', 'valueOf', 'toString', '__proto__'])('leaves a value %s', (value) =>
    expect(withNames([value], {})).toEqual([value]),
  );
  it('leaves everything else', () => expect(withNames(2, { 2: 'two' })).toBe(2));
});
