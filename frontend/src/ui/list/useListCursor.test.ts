import { describe, expect, it } from 'vitest';
import { moved } from './useListCursor';

describe('moved', () => {
  it.each([
    ['ArrowDown', -1, 5, 0],
    ['ArrowDown', 4, 5, 4],
    ['ArrowUp', 0, 5, 0],
    ['PageDown', 0, 50, 10],
    ['PageUp', 3, 50, 0],
    ['End', 2, 5, 4],
    ['Home', 2, 5, 0],
    ['ArrowDown', -1, 0, -1],
    ['a', 2, 5, undefined],
  ])('%s from %i of %i', (key, from, count, to) => expect(moved(key, from, count)).toBe(to));
});
