import { describe, expect, it } from 'vitest';
import type { Manifest } from './manifest';
import { displayOf, entityByName, linkOf, recordsIn, recordsInFacts } from './records';

const folder = { type: 'string', 'x-entity': 'folder' };
const schema = {
  type: 'object',
  properties: {
    folderId: folder,
    files: { type: 'array', items: { $ref: '#/$defs/file' } },
    tags: { type: 'array', 'x-entity': 'tag', items: { type: 'string' } },
    more: { type: 'array', items: folder },
    either: { anyOf: [{ type: 'integer' }, folder] },
    by: { type: 'object', additionalProperties: folder },
    note: { type: 'string' },
    owner: { type: 'string', 'x-entity': 'user' },
  },
  $defs: { file: { type: 'object', properties: { fileId: { type: 'string', 'x-entity': 'file' } } } },
};
const manifest: Manifest = {
  schema_version: '1',
  application: { name: 'Files', version: '1' },
  capabilities: [],
  entities: [
    { type: 'folder', title: 'Folder', link: 'folders/{id}', sources: [] },
    { type: 'paperFile', title: 'File', sources: [] },
  ],
};

describe('recordsIn', () => {
  it('finds ids at fields, in lists and in the parts of parts', () => {
    const value = {
      ...{ folderId: 'f1', files: [{ fileId: 'a' }, { fileId: 'b' }], tags: ['t1'], more: ['f2'], either: 'f3' },
      ...{ by: { kim: 'f4' }, note: 'f5' },
    };
    expect(recordsIn(schema, value).map(({ entity, id }) => `${entity} ${id}`)).toEqual([
      ...['folder f1', 'file a', 'file b', 'tag t1', 'folder f2', 'folder f3', 'folder f4'],
    ]);
  });
  it('finds none in what the schema does not know, nor without one', () => {
    expect(recordsIn(schema, { other: 'f1', folderId: 7, toString: 'x' })).toEqual([]);
    expect(recordsIn(undefined, { folderId: 'f1' })).toEqual([]);
  });
});

describe('recordsInFacts', () => {
  it('goes by the argument of the same name, or by the name of the fact', () =>
    expect(recordsInFacts(manifest, schema, { owner: 'u1', paperFileId: 'p1', count: 2, otherId: 'x' })).toEqual([
      { entity: 'user', id: 'u1' },
      { entity: 'paperFile', id: 'p1' },
    ]));
});

describe('entityByName', () => {
  it('reads the names of fields and columns', () =>
    expect(['folderId', 'paper_file_id', 'folder', 'tagId'].map((name) => entityByName(manifest, name))).toEqual([
      ...['folder', 'paperFile', undefined, undefined],
    ]));
});

describe('displayOf', () => {
  it('puts fields into a form, and nothing for those that are not there', () =>
    expect(displayOf('{name}, {city} {zip}', { name: 'Ana $1', city: null })).toBe('Ana $1,'));
});

describe('linkOf', () => {
  it('is the page of the record, where its kind has pages', () => {
    expect(linkOf(manifest, { entity: 'folder', id: '$&' })).toBe('folders/$&');
    expect(linkOf(manifest, { entity: 'paperFile', id: 'p1' })).toBeUndefined();
  });
});
