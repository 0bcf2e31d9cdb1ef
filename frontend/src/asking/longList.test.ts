import { describe, expect, it } from 'vitest';
import { Roll, type RollOptions, type RollPage } from './longList';

const PAGE = 10;

/** A list of numbers, newest first, that grows at its beginning, and what was asked of it. */
function listOf(length: number, options: Partial<RollOptions> = {}) {
  const list = { newest: length, asked: [] as string[], fail: false };
  const read = async (cursor: string): Promise<RollPage<number>> => {
    list.asked.push(cursor);
    if (list.fail) throw new Error('Not now.');
    const from = cursor === '' ? list.newest : Number(cursor);
    const rows = Array.from({ length: Math.min(PAGE, from) }, (_, i) => from - i);
    return { rows, next: from > PAGE ? String(from - PAGE) : undefined };
  };
  return { list, roll: new Roll(read, { ahead: 5, held: 4, ...options }) };
}

const settled = () => new Promise((resolve) => setTimeout(resolve));
const show = async (roll: Roll<number>, first: number) => {
  roll.show(first, first + 4);
  await settled();
};

describe('Roll', () => {
  it('reads what is in view and a little ahead, and no more', async () => {
    const { roll, list } = listOf(1000);
    await show(roll, 0);
    expect(list.asked).toEqual(['']);
    await show(roll, 2);
    expect(list.asked).toEqual(['', '990']);
    expect(roll.at(11)).toBe(989);
  });

  it('ends where the list does', async () => {
    const { roll } = listOf(13);
    await show(roll, 0);
    await show(roll, 8);
    expect([roll.length, roll.goesOn, roll.at(12), roll.at(13)]).toEqual([13, false, 1, undefined]);
  });

  it('holds few pages however far it went, and reads a place again in one step', async () => {
    const { roll, list } = listOf(1000);
    for (let at = 0; at < 600; at += 5) await show(roll, at);
    const held = Array.from({ length: roll.length }, (_, i) => roll.at(i)).filter((row) => row !== undefined).length;
    expect(held).toBeLessThanOrEqual(5 * PAGE);
    expect(roll.at(205)).toBeUndefined();
    list.asked = [];
    await show(roll, 203);
    expect(roll.at(205)).toBe(795);
    expect(list.asked).toEqual(['800', '810', '790']);
  });

  it('lets nothing go that it can hold', async () => {
    const { roll, list } = listOf(1000, { held: 20 });
    for (let at = 0; at < 190; at += 5) await show(roll, at);
    list.asked = [];
    await show(roll, 10);
    expect(list.asked).toEqual([]);
  });

  it('never reads its first page again by itself: there would be other rows in it', async () => {
    const { roll, list } = listOf(1000);
    for (let at = 0; at < 300; at += 5) await show(roll, at);
    list.newest = 1003;
    await show(roll, 0);
    expect(roll.at(0)).toBe(1000);
  });

  it('begins again with what is new, and shows the old until that is there', async () => {
    const { roll, list } = listOf(1000);
    await show(roll, 0);
    list.newest = 1003;
    roll.restart();
    expect(roll.at(0)).toBe(1000);
    await settled();
    expect([roll.at(0), roll.length]).toEqual([1003, PAGE]);
  });

  it('does not put an answer of before into the list that began again', async () => {
    const { roll, list } = listOf(1000);
    await show(roll, 0);
    roll.show(4, 8);
    list.newest = 1003;
    roll.restart();
    await settled();
    expect(Array.from({ length: roll.length }, (_, i) => roll.at(i))).toEqual(
      Array.from({ length: roll.length }, (_, i) => 1003 - i),
    );
  });

  it('goes on after pages of which nothing is shown', async () => {
    const roll = new Roll<string>(async (cursor) =>
      cursor === 'c' ? { rows: ['found'] } : { rows: [], next: cursor === '' ? 'b' : 'c' },
    );
    roll.show(0, 0);
    await settled();
    expect([roll.length, roll.at(0)]).toEqual([1, 'found']);
  });

  it('waits where the reading ended for now until it is told to go on', async () => {
    const roll = new Roll<string>(async (cursor) =>
      cursor === '' ? { rows: ['a'], next: 'b', stopped: 5 } : { rows: ['b'] },
    );
    roll.show(0, 0);
    await settled();
    expect([roll.length, roll.stopped, roll.goesOn]).toEqual([1, 5, true]);
    roll.more();
    await settled();
    expect([roll.length, roll.stopped, roll.goesOn]).toEqual([2, undefined, false]);
  });

  it('keeps what it has when reading fails, and tries again when told to', async () => {
    const { roll, list } = listOf(1000);
    await show(roll, 0);
    list.fail = true;
    await show(roll, 8);
    expect([roll.error?.message, roll.length]).toEqual(['Not now.', PAGE]);
    list.fail = false;
    list.asked = [];
    await show(roll, 9);
    expect(list.asked, 'not by itself').toEqual([]);
    roll.retry();
    await settled();
    expect([roll.error, roll.length]).toEqual([undefined, 2 * PAGE]);
  });

  it('ends at the greatest length a list can have', async () => {
    const { roll } = listOf(1000, { most: 30 });
    for (let at = 0; at < 60; at += 5) await show(roll, at);
    expect([roll.length, roll.full, roll.goesOn]).toEqual([30, true, false]);
  });
});
