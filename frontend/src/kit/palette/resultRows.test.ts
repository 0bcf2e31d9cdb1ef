import { describe, expect, it } from 'vitest';
import type { Manifest } from '../../bridge/manifest';
import { callText, kindOfRows, linkOfRow, recordsInResult, resultRows, rowsOfPages } from './resultRows';

const manifest = {
  entities: [
    { type: 'folder', title: 'Folder', get: 'folder.get', link: 'folders/{id}', sources: ['folder.search#/folders'] },
    { type: 'page', title: 'Page', link: 'pages/{id}', sources: ['page.search#/pages'] },
    { type: 'stamp', title: 'Stamp', sources: ['folder.get#/stamps'] },
  ],
  capabilities: [{ name: 'page.burn', title: 'Burn a page' }],
} as unknown as Manifest;

describe('what a result shows', () => {
  it('is a record by the kind that is read so, and the list of records in it', () => {
    const data = { id: 'f1', tags: [{ a: 1 }], stamps: [{ id: 's' }], folders: [{ id: 'f2', title: 'Two' }] };
    expect(resultRows(manifest, 'folder.get', data)).toEqual({
      record: 'folder',
      pointer: '/folders',
      rows: [{ id: 'f2', title: 'Two' }],
    });
  });
  it('is the table whose rows have names, else the longest', () => {
    const rates = [{ rate: 1 }, { rate: 2 }];
    expect(resultRows(manifest, 'report.sum', { rates, rows: [{ title: 'May' }] }).pointer).toBe('/rows');
    expect(resultRows(manifest, 'report.sum', { rows: [{ n: 1 }], rates }).pointer).toBe('/rates');
    expect(resultRows(manifest, 'report.sum', { total: 4, names: ['a'] }).rows).toEqual([]);
  });
  it('is one list over all pages', () => {
    const pages = [{ tags: [{ a: 1 }], folders: [{ id: 'f1' }] }, { folders: [{ id: 'f2' }] }, { other: [] }];
    expect(rowsOfPages(manifest, 'folder.search', pages)).toEqual({
      pointer: '/folders',
      rows: [{ id: 'f1' }, { id: 'f2' }],
    });
    expect(rowsOfPages(manifest, 'folder.search', []).rows).toEqual([]);
  });
  it('says what a call does by its title', () => {
    expect(callText(manifest, { capability: 'page.burn', summary: 'Burn page 3' })).toBe('Burn a page: Burn page 3');
    expect(callText(manifest, { capability: 'page.burn' })).toBe('Burn a page');
    expect(callText(manifest, { capability: 'none.such', summary: 'Do it' })).toBeUndefined();
  });
  it('leads to the record of a row, else to one that it names', () => {
    const folders = kindOfRows(manifest, 'desk.look', '/folders');
    expect(linkOfRow(manifest, folders, { id: 'f1' })).toBe('folders/f1');
    expect(linkOfRow(manifest, undefined, { n: 2, pageId: 'p1' })).toBe('pages/p1');
    expect(linkOfRow(manifest, undefined, { stampId: 's1' })).toBeUndefined();
  });
  it('tells of records that have pages', () => {
    const data = {
      id: 'f1',
      page: { id: 'p1' },
      pageId: 'p2',
      stamps: [{ id: 's' }],
      folders: [{ id: 'f2', pageId: 'p3' }],
    };
    expect(recordsInResult(manifest, { capability: 'folder.get', data }).map(({ id }) => id)).toEqual([
      'f1',
      'p1',
      'p2',
      'f2',
      'p3',
    ]);
  });
});
