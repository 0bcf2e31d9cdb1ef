import { describe, expect, it } from 'vitest';
import { keyOf, type Names, namesOfId, withNames } from './names';
import { placesIn } from './records';

const id = (entity: string) => ({ type: 'string', 'x-entity': entity });
const schema = {
  type: 'object',
  properties: {
    ...{ folderId: id('folder'), personId: id('person'), note: { type: 'string' } },
    tags: { type: 'array', items: { type: 'string' } },
    lines: {
      type: 'array',
      items: { type: 'object', properties: { 'a/b': id('folder'), count: { type: 'integer' } } },
    },
  },
};
const names: Names = new Map([
  [keyOf({ entity: 'folder', id: 'a' }), 'Taxes'],
  [keyOf({ entity: 'person', id: 'a' }), 'Ana'],
  [keyOf({ entity: 'folder', id: '2' }), 'Two'],
]);
const named = (value: object) => {
  const json = JSON.parse(JSON.stringify(value));
  return withNames(json, placesIn(schema, json), names);
};

describe('withNames', () => {
  it('puts the name of a record of that kind in place of an id, at every depth', () =>
    expect(named({ folderId: 'a', personId: 'a', lines: [{ 'a/b': 'a', count: 2 }] })).toEqual({
      ...{ folderId: 'Taxes', personId: 'Ana' },
      lines: [{ 'a/b': 'Taxes', count: 2 }],
    }));
  it('leaves a text that is no record, and an unknown record', () => {
    const value = { note: 'a', tags: ['a'], other: 'a', personId: '2' };
    expect(named(value)).toEqual(value);
  });
  it.each(['constructor', 'toString', '__proto__'])('leaves %s, which every object inherits a value of', (value) =>
    expect(named({ folderId: value, lines: [value] })).toEqual({ folderId: value, lines: [value] }),
  );
});

it('finds the names of an id in all kinds', () => {
  expect(namesOfId(names, 'a')).toEqual(['Taxes', 'Ana']);
  expect(namesOfId(new Map([[keyOf({ entity: 'folder', id: 'x a' }), 'X']]), 'a')).toEqual([]);
});
