import { expect, it } from 'vitest';
import type { Manifest } from '../bridge/manifest';
import { REQUEST } from './approvals/cards';
import { placesInCall } from './records';

const folder = { type: 'string', 'x-entity': 'folder' };
const properties = { folderId: folder, more: { type: 'array', items: { type: 'object', properties: { of: folder } } } };
const manifest = {
  capabilities: [{ name: 'note.add', title: 'Add', input_schema: { properties } }],
  entities: [{ type: 'person', title: 'Person', sources: [] }],
} as unknown as Manifest;

it('finds the records in the bounds of a grant: of facts, of arguments, and of lists of values', () => {
  const constraints = {
    ...{ '/folderId': { in: ['f1', 'f2'] }, '/more/*/of': 'f3', folderId: 'f4', personId: 'p1' },
    ...{ '/text': 'f1', count: { max: 2 }, otherId: 'x' },
  };
  const places = placesInCall(manifest, REQUEST, { capability: 'note.add', constraints });
  expect([...places].map(([at, { entity, id }]) => `${at} ${entity} ${id}`)).toEqual([
    '/constraints/~1folderId/in/0 folder f1',
    '/constraints/~1folderId/in/1 folder f2',
    '/constraints/~1more~1*~1of folder f3',
    '/constraints/folderId folder f4',
    '/constraints/personId person p1',
  ]);
});
