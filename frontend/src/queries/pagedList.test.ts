import { describe, expect, it } from 'vitest';
import { BusError } from '../bridge/error';
import { type ListOptions, type ListPage, PagedList } from './pagedList';

const PAGE = 10;
const usual = { keyOf: (row: number) => row, ahead: 5, held: 4, most: 800_000 };

/** A list of numbers, newest first, that grows at its beginning, and the cursors that were read. */
function listOf(length: number, options: Partial<ListOptions<number>> = {}) {
  const list = { newest: length, asked: [] as string[], fail: false };
  const read = async (cursor: string): Promise<ListPage<number>> => {
    list.asked.push(cursor);
    if (list.fail) throw new BusError({ code: 'TRANSIENT', message: 'Not now.', retryable: true });
    const from = cursor === '' ? list.newest : Number(cursor);
    const rows = Array.from({ length: Math.min(PAGE, from) }, (_, i) => from - i);
    return { rows, next: from > PAGE ? String(from - PAGE) : undefined };
  };
  return { list, rows: new PagedList(read, { ...usual, ...options }) };
}

const settled = () => new Promise((resolve) => setTimeout(resolve));
const show = async (rows: PagedList<number>, first: number) => {
  rows.show(first, first + 4);
  await settled();
};

describe('PagedList', () => {
  it('reads what is in view and a little ahead, and no more', async () => {
    const { rows, list } = listOf(1000);
    await show(rows, 0);
    expect(list.asked).toEqual(['']);
    await show(rows, 2);
    expect(list.asked).toEqual(['', '990']);
    expect(rows.at(11)).toBe(989);
  });

  it('reads nothing where there is no list yet', async () => {
    const rows = PagedList.empty<number>();
    rows.show(0, 20);
    await rows.refresh();
    expect([rows.length, rows.busy, rows.ready, rows.goesOn]).toEqual([0, false, false, false]);
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
    const rows = new PagedList<string>(
      async (cursor) => (cursor === 'c' ? { rows: ['found'] } : { rows: [], next: cursor === '' ? 'b' : 'c' }),
      { ...usual, keyOf: (row) => row },
    );
    rows.show(0, 0);
    await settled();
    expect([rows.length, rows.at(0)]).toEqual([1, 'found']);
  });

  it('waits where the search paused, until more is asked for', async () => {
    const rows = new PagedList<string>(
      async (cursor) => (cursor === '' ? { rows: ['a'], next: 'b', stopped: 5 } : { rows: ['b'] }),
      { ...usual, keyOf: (row) => row },
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
    await rows.refresh();
    expect([rows.error, rows.length]).toEqual([undefined, 2 * PAGE]);
  });

  it('ends at the greatest length a list can have', async () => {
    const { rows } = listOf(1000, { most: 30 });
    for (let at = 0; at < 60; at += 5) await show(rows, at);
    expect([rows.length, rows.full, rows.goesOn]).toEqual([30, true, false]);
  });

  describe('read again', () => {
    /** Twenty pages that were read, the second of which is in view, and no reads counted yet. */
    async function twentyPages() {
      const made = listOf(1000, { held: 100 });
      for (let at = 0; at < 195; at += 5) await show(made.rows, at);
      await show(made.rows, 13);
      made.list.asked = [];
      return made;
    }

    it('reads what is in view once more for many changes, and the rest when it comes into view', async () => {
      const { rows, list } = await twentyPages();
      const five = Array.from({ length: 5 }, () => rows.refresh());
      await Promise.all(five);
      expect(list.asked).toEqual(['990', '990']);
      await settled();
      list.asked = [];
      await show(rows, 103);
      expect(list.asked).toEqual(['900']);
      expect(rows.length).toBe(200);
    });

    it('has each row once, in order, when rows came above', async () => {
      const { rows, list } = await twentyPages();
      list.newest = 1003;
      await show(rows, 3);
      await rows.refresh();
      await settled();
      expect(rows.items.slice(0, 25)).toEqual(Array.from({ length: 25 }, (_, i) => 1003 - i));
      for (let at = 0; at < 200; at += 5) await show(rows, at);
      expect(rows.items).toEqual(Array.from({ length: rows.length }, (_, i) => 1003 - i));
    });

    it('keeps a row that is pushed out of its page by a hundred others', async () => {
      const { rows, list } = await twentyPages();
      await show(rows, 0);
      list.newest = 1100;
      await rows.refresh();
      expect(rows.items).toContain(997);
      expect(rows.items.indexOf(997)).toBeGreaterThan(rows.items.indexOf(1100));
    });

    it('has no row twice and ends where the list does when rows went', async () => {
      const gone = new Set<number>();
      const left = (from: number) =>
        Array.from({ length: from }, (_, i) => from - i).filter((row) => !gone.has(row) && row > 0);
      const rows = new PagedList<number>(
        async (cursor) => {
          const all = left(cursor === '' ? 40 : Number(cursor));
          const page = all.slice(0, PAGE);
          return { rows: page, next: all.length > PAGE ? String((page.at(-1) ?? 1) - 1) : undefined };
        },
        { ...usual, held: 100 },
      );
      rows.show(0, 4);
      await settled();
      for (let at = 0; at < 40; at += 5) await show(rows, at);
      expect(rows.length).toBe(40);
      await show(rows, 0);
      for (let row = 40; row > 25; row -= 1) gone.add(row);
      await rows.refresh();
      for (let at = 0; at < 40; at += 5) await show(rows, at);
      expect(rows.items).toEqual(Array.from({ length: 25 }, (_, i) => 25 - i));
      await show(rows, 0);
      for (let row = 25; row > 3; row -= 1) gone.add(row);
      await rows.refresh();
      await settled();
      expect(rows.items).toEqual([3, 2, 1]);
      expect(rows.goesOn).toBe(false);
    });

    it('keeps the rows that did not change, so that they are not drawn again', async () => {
      let price = 5;
      const rows = new PagedList<{ id: number; price: number }>(
        async () => ({
          rows: [
            { id: 1, price: 4 },
            { id: 2, price },
          ],
        }),
        { ...usual, keyOf: ({ id }) => id },
      );
      await rows.refresh();
      const [first, second] = rows.items;
      price = 6;
      await rows.refresh();
      expect([rows.items[0] === first, rows.items[1] === second, rows.items[1]?.price]).toEqual([true, false, 6]);
    });

    it('asks once for each page in view when one of them cannot be read, and keeps the error', async () => {
      const asked: string[] = [];
      let fails = false;
      const rows = new PagedList<number>(
        async (cursor) => {
          asked.push(cursor);
          if (fails && cursor === '') throw new BusError({ code: 'INTERNAL', message: 'Not now.', retryable: false });
          const from = cursor === '' ? 30 : Number(cursor);
          return {
            rows: Array.from({ length: PAGE }, (_, i) => from - i),
            next: from > PAGE ? `${from - PAGE}` : undefined,
          };
        },
        { ...usual, held: 100 },
      );
      await rows.refresh();
      await show(rows, 7);
      rows.show(7, 12);
      fails = true;
      asked.length = 0;
      await expect(rows.refresh()).rejects.toThrow('Not now.');
      await settled();
      expect([asked, rows.error?.message, rows.at(12)]).toEqual([['', '20'], 'Not now.', 18]);
    });

    it('rejects when it cannot be read, and is read by the next', async () => {
      const { rows, list } = await twentyPages();
      list.fail = true;
      await expect(rows.refresh()).rejects.toThrow('Not now.');
      list.fail = false;
      await rows.refresh();
      expect([rows.error, rows.at(13)]).toEqual([undefined, 987]);
    });
  });
});
