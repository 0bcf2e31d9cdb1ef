import { expect, it } from 'vitest';
import { extended, type Picked, toggled } from './picking';

const loaded = [...'abcdefgh'];

it('picks a row on its own, and no longer', () => {
  const once = toggled({ keys: ['x'] }, 'b');
  expect(once.keys).toEqual(['x', 'b']);
  expect(toggled(once, 'b').keys).toEqual(['x']);
});

it('draws a range from the row that was picked last, and gives rows back when it becomes smaller', () => {
  const begun = toggled({ keys: ['h'] }, 'c');
  const drawn = extended(begun, loaded, 5);
  expect(drawn.keys).toEqual(['h', 'c', 'd', 'e', 'f']);
  const smaller = extended(drawn, loaded, 3);
  expect(smaller.keys).toEqual(['h', 'c', 'd']);
  expect(extended(smaller, loaded, 0).keys, 'to the other side').toEqual(['h', 'c', 'a', 'b']);
});

it.each<[string, Picked]>([
  ['nothing was picked', { keys: [] }],
  ['the row it began at is not loaded any more', { keys: ['x'], from: 'x', beside: [] }],
])('begins at the row it is told when %s', (_, picked) =>
  expect(extended(picked, loaded, 3, 1)).toEqual({
    keys: [...picked.keys, 'b', 'c', 'd'],
    from: 'b',
    beside: picked.keys,
  }),
);
