import { describe, expect, it } from 'vitest';
import { LongList, type LongListOptions, type LongListPage } from './longList';

const PAGE = 10;

/** A list of numbers, newest first, that grows at its beginning, and what was asked of it. */
function listOf(length: number, options: Partial<LongListOptions> = {}) {
  const list = { newest: length, asked: [] as string[], fail: false };
  const read = async (cursor: string): Promise<LongListPage<number>> => {
    list.asked.push(cursor);
    if (list.fail) throw new Error('Not now.');
    const from = cursor === '' ? list.newest : Number(cursor);
    const rows = Array.from({ length: Math.min(PAGE, from) }, (_, i) => from - i);
    return { rows, next: from > PAGE ? String(from - PAGE) : undefined };
  };
  return { list, rows: new LongList(read, { ahead: 5, held: 4, ...options }) };
}

const settled = () => new Promise((resolve) => setTimeout(resolve));
const show = async (rows: LongList<number>, first: number) => {
  rows.show(first, first + 4);
  await settled();
};

describe('LongList', () => {
  it('reads what is in view and a little ahead, and no more', async () => {
    const { rows, list } = listOf(1000);
    await show(rows, 0);
    expect(list.asked).toEqual(['']);
    await show(rows, 2);
    expect(list.asked).toEqual(['', '990']);
    expect(rows.at(11)).toBe(989);
  });

  it('ends where the list does', async () => {
    const { rows } = listOf(13);
    await show(rows, 0);
    await show(rows, 8);
    expect([rows.length, rows.goesOn, rows.at(12), rows.at(13)]).toEqual([13, false, 1, undefined]);
  });

  it('holds few pages however far it went, and reads a place again in one step', async () => {
    const { rows, list } = listOf(1000);
    for (let at = 0; at < 600; at += 5) await show(rows, at);
    const held = Array.from({ length: rows.length }, (_, i) => rows.at(i)).filter((row) => row !== undefined).length;
    expect(held).toBeLessThanOrEqual(5 * PAGE);
    expect(rows.at(205)).toBeUndefined();
    list.asked = [];
    await show(rows, 203);
    expect(rows.at(205)).toBe(795);
    expect(list.asked).toEqual(['800', '810', '790']);
  });

  it('lets nothing go that it can hold', async () => {
    const { rows, list } = listOf(1000, { held: 20 });
    for (let at = 0; at < 190; at += 5) await show(rows, at);
    list.asked = [];
    await show(rows, 10);
    expect(list.asked).toEqual([]);
  });

  it('never reads its first page again by itself: there would be other rows in it', async () => {
    const { rows, list } = listOf(1000);
    for (let at = 0; at < 300; at += 5) await show(rows, at);
    list.newest = 1003;
    await show(rows, 0);
    expect(rows.at(0)).toBe(1000);
  });

  it('begins again with what is new, and shows the old until that is there', async () => {
    const { rows, list } = listOf(1000);
    await show(rows, 0);
    list.newest = 1003;
    rows.restart();
    expect(rows.at(0)).toBe(1000);
    await settled();
    expect([rows.at(0), rows.length]).toEqual([1003, PAGE]);
  });

  it('does not put an answer of before into the list that began again', async () => {
    const { rows, list } = listOf(1000);
    await show(rows, 0);
    rows.show(4, 8);
    list.newest = 1003;
    rows.restart();
    await settled();
    expect(Array.from({ length: rows.length }, (_, i) => rows.at(i))).toEqual(
      Array.from({ length: rows.length }, (_, i) => 1003 - i),
    );
  });

  it('goes on after pages of which nothing is shown', async () => {
    const rows = new LongList<string>(async (cursor) =>
      cursor === 'c' ? { rows: ['found'] } : { rows: [], next: cursor === '' ? 'b' : 'c' },
    );
    rows.show(0, 0);
    await settled();
    expect([rows.length, rows.at(0)]).toEqual([1, 'found']);
  });

  it('waits where the reading ended for now until it is told to go on', async () => {
    const rows = new LongList<string>(async (cursor) =>
      cursor === '' ? { rows: ['a'], next: 'b', stopped: 5 } : { rows: ['b'] },
    );
    rows.show(0, 0);
    await settled();
    expect([rows.length, rows.stopped, rows.goesOn]).toEqual([1, 5, true]);
    rows.more();
    await settled();
    expect([rows.length, rows.stopped, rows.goesOn]).toEqual([2, undefined, false]);
  });

  it('keeps what it has when reading fails, and tries again when told to', async () => {
    const { rows, list } = listOf(1000);
    await show(rows, 0);
    list.fail = true;
    await show(rows, 8);
    expect([rows.error?.message, rows.length]).toEqual(['Not now.', PAGE]);
    list.fail = false;
    list.asked = [];
    await show(rows, 9);
    expect(list.asked, 'not by itself').toEqual([]);
    rows.retry();
    await settled();
    expect([rows.error, rows.length]).toEqual([undefined, 2 * PAGE]);
  });

  it('ends at the greatest length a list can have', async () => {
    const { rows } = listOf(1000, { most: 30 });
    for (let at = 0; at < 60; at += 5) await show(rows, at);
    expect([rows.length, rows.full, rows.goesOn]).toEqual([30, true, false]);
  });
});
