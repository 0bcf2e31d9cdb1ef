import { expect, it } from 'vitest';
import { without } from './ListFilters';

it('is what narrows a list and sorts it, without what the page has elsewhere', () => {
  const field = { type: 'string' };
  const input_schema = { type: 'object', properties: { query: field, sort: field, from: field, cursor: field } };
  const list = { name: 'note.search', title: 'Notes', side_effect: 'pure', available: true } as const;
  const entry = { ...list, input_schema, searchable: true, sortable: true, filterable: true };
  expect(without(entry, ['query'])).toMatchObject({ properties: { sort: field, from: field } });
  expect(Object.keys(without(entry, ['query']).properties as object)).toEqual(['sort', 'from']);
});
