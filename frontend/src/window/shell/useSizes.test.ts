import { describe, expect, it } from 'vitest';
import { densityFor, sizeAfter } from './useSizes';

describe('sizeAfter', () => {
  it.each([
    ['+', 100, 110],
    ['=', 110, 125],
    ['+', 200, undefined],
    ['-', 100, 90],
    ['-', 80, undefined],
    ['+', 130, 150],
    ['0', 175, 100],
  ])('%s at %d %% leads to %s', (key, now, then) => expect(sizeAfter(key, now)).toBe(then));
});

describe('densityFor', () => {
  it.each([
    ['system', true, 'touch'],
    ['system', false, 'compact'],
    ['comfortable', true, 'comfortable'],
    ['touch', false, 'touch'],
    [undefined, true, 'touch'],
  ])('%s, coarse pointer: %s', (choice, coarse, density) => expect(densityFor(choice, coarse)).toBe(density));
});
