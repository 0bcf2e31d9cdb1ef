import { replaceEqualDeep } from '@tanstack/react-query';
import { asBusError, type BusError } from '../bridge/error';

/** A page of a list: its rows, and where the next one begins. */
export interface ListPage<Row> {
  rows: readonly Row[];
  /** The cursor of the next page; undefined on the last. */
  next?: string;
  /** The moment (ms since 1970) back to which was read, where the search paused; `more` continues it. */
  stopped?: number;
  /** The words of the search that no record has. */
  notFound?: readonly string[];
}

export type Key = string | number;

export interface ListOptions<Row> {
  keyOf: (row: Row) => Key;
  /** The number of rows that are read ahead on each side of the view. */
  ahead: number;
  /** The number of pages that are held; the others are read again by their cursor. */
  held: number;
  /** The greatest number of rows: an element has a greatest height. */
  most: number;
}

/** Reads the page at a cursor; '' is the first. */
export type ReadPage<Row> = (cursor: string) => Promise<ListPage<Row>>;

/** A page that was read: its rows may be dropped, its place is kept. */
interface Leaf<Row> {
  cursor: string;
  start: number;
  count: number;
  rows?: readonly Row[];
  /** The edition of the list when the page was read: an older one is stale. */
  edition: number;
}

/** The edition of a page that was put together here and not read. */
const NEVER = -1;

const none: readonly never[] = [];

/**
 * A list of any length, read page by page with cursors. It holds the pages around the visible rows. When the list may
 * have changed, it reads visible pages again at once and the others when they come into view. A cursor names a record
 * and not a number of rows, so it stays valid when rows come and go above it.
 */
export class PagedList<Row> {
  readonly #read: ReadPage<Row>;
  readonly #options: ListOptions<Row>;
  readonly #listeners = new Set<() => void>();
  readonly #reading = new Map<string, Promise<void>>();
  #leaves: Leaf<Row>[] = [];
  #view = { first: 0, last: 0 };
  #next: string | undefined = '';
  #stopped: number | undefined;
  #notFound: readonly string[] | undefined;
  #error: BusError | undefined;
  #version = 0;
  #items: { version: number; rows: readonly Row[] } = { version: 0, rows: none };
  #edition = 0;

  constructor(read: ReadPage<Row>, options: ListOptions<Row>) {
    this.#read = read;
    this.#options = options;
  }

  /** A list without rows and with nothing to read. */
  static empty<Row>(): PagedList<Row> {
    const list = new PagedList<Row>(() => Promise.resolve({ rows: none }), {
      keyOf: () => 0,
      ahead: 0,
      held: 0,
      most: 0,
    });
    list.#next = undefined;
    return list;
  }

  /** The number of known rows; there are more while `goesOn`. */
  get length(): number {
    const last = this.#leaves.at(-1);
    return last ? last.start + last.count : 0;
  }

  /** The rows that are held: all that were read, where no page was let go. The same array until the next change. */
  get items(): readonly Row[] {
    if (this.#items.version !== this.#version)
      this.#items = { version: this.#version, rows: this.#leaves.flatMap(({ rows = none }) => rows) };
    return this.#items.rows;
  }

  /** Whether its beginning was read. */
  get ready(): boolean {
    return this.#leaves.length > 0;
  }

  /** Whether there is more to read. */
  get goesOn(): boolean {
    return this.#next !== undefined && !this.full;
  }

  /** Whether it is as long as it can be. */
  get full(): boolean {
    return this.#next !== undefined && this.length >= this.#options.most;
  }

  /** The moment (ms since 1970) back to which was read, while the search is paused. */
  get stopped(): number | undefined {
    return this.#stopped;
  }

  /** The words of the search that no record has, as the first page said. */
  get notFound(): readonly string[] | undefined {
    return this.#notFound;
  }

  get busy(): boolean {
    return this.#reading.size > 0;
  }

  get error(): BusError | undefined {
    return this.#error;
  }

  /** A number that is another one after every change. */
  readonly version = (): number => this.#version;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** The first row in view, to scroll back to. */
  get place(): number {
    return this.#view.first;
  }

  /** The row at an index; undefined while its page is read again. */
  at(index: number): Row | undefined {
    const leaf = this.#leaves[this.#leafAt(index)];
    return leaf?.rows?.[index - leaf.start];
  }

  /** Sets the rows in view: reads the pages around them and drops those far away. */
  readonly show = (first: number, last: number): void => {
    this.#view = { first, last };
    if (!this.#error) this.#fill();
  };

  /** Reads the next page, after a pause too. */
  readonly more = (): void => {
    this.#stopped = undefined;
    this.#error = undefined;
    this.#changed();
    if (this.#next !== undefined) void this.#load(this.#next);
  };

  /** Reads the list from its beginning again, and shows the old rows until the first page arrives. */
  readonly restart = (): void => {
    this.#reading.clear(); // answers to earlier reads are not taken
    this.#edition += 1;
    this.#error = undefined;
    this.#view = { first: 0, last: 0 };
    void this.#load('', true);
  };

  /**
   * Reads the visible pages again, and the others when they come into view. A page that is being read is read once
   * more afterwards, no matter how many changes come meanwhile. Rejects when a page cannot be read.
   */
  async refresh(): Promise<void> {
    this.#edition += 1;
    this.#error = undefined;
    for (let due = this.#due(); due.length > 0; due = this.#due()) {
      await Promise.all(due.map((cursor) => this.#load(cursor)));
      if (this.#error) throw this.#error;
    }
  }

  /** The cursors of the pages in view that were not read since the list changed. */
  #due(): string[] {
    if (!this.ready) return this.#next === undefined ? [] : [''];
    return this.#missing(this.#view.first, this.#view.last, this.#edition);
  }

  /** The cursors of the pages between two rows that are not held, or from before an edition. */
  #missing(first: number, last: number, edition: number): string[] {
    const found: string[] = [];
    let i = this.#leafAt(first);
    while (this.#leaves[i - 1]?.count === 0) i -= 1; // rows may have come into it
    for (; i < this.#leaves.length; i += 1) {
      const leaf = this.#leaves[i];
      if (!leaf || leaf.start > last + (leaf.count === 0 ? 1 : 0)) break;
      if (leaf.edition < edition || (!leaf.rows && leaf.count > 0)) found.push(leaf.cursor);
    }
    return found;
  }

  /** Reads the visible pages first, then the pages around them. */
  #fill(): void {
    const { ahead } = this.#options;
    const { first, last } = this.#view;
    const due = this.#due();
    const around = due.length > 0 ? due : this.#missing(first - ahead, last + ahead, NEVER);
    for (const cursor of around) void this.#load(cursor);
    if (due.length > 0 || this.#stopped !== undefined) return;
    if (last + ahead >= this.length && this.goesOn && this.#next !== undefined) void this.#load(this.#next);
  }

  #load(cursor: string, replacing = false): Promise<void> {
    const under = this.#reading.get(cursor);
    if (under) return under;
    const reading: Promise<void> = this.#loadNow(
      cursor,
      replacing,
      this.#edition,
      () => this.#reading.get(cursor) === reading,
    );
    this.#reading.set(cursor, reading);
    if (!this.#leaves.some((leaf) => leaf.cursor === cursor)) this.#changed(); // a page read again is shown meanwhile
    return reading;
  }

  async #loadNow(cursor: string, replacing: boolean, edition: number, isWanted: () => boolean): Promise<void> {
    let page: ListPage<Row> | undefined;
    let error: BusError | undefined;
    try {
      page = await this.#read(cursor);
    } catch (thrown) {
      error = asBusError(thrown);
    }
    if (!isWanted()) return;
    this.#reading.delete(cursor);
    if (error) this.#error = error;
    if (page) {
      if (replacing) this.#leaves = [];
      this.#take(cursor, page, edition);
      this.#letGo();
      if (!this.#error) this.#fill();
    }
    this.#changed();
  }

  #take(cursor: string, page: ListPage<Row>, edition: number): void {
    const { rows, next, stopped } = page;
    if (cursor === '') this.#notFound = page.notFound;
    const index = this.#leaves.findIndex((leaf) => leaf.cursor === cursor);
    const known = this.#leaves[index];
    if (known) {
      this.#replace(index, known, page, edition);
    } else if (cursor === this.#next || cursor === '') {
      this.#leaves.push({ cursor, start: this.length, count: rows.length, rows, edition });
      this.#next = next;
      this.#stopped = next === undefined ? undefined : stopped;
    } else return; // a page that moved while it was read
    this.#dropOlder(rows, edition);
  }

  /**
   * Replaces a page by its present rows. If it ends at another row now, the next page begins there and is stale. Rows
   * that were pushed out of this page are put before the next page until that is read.
   */
  #replace(index: number, known: Leaf<Row>, { rows, next }: ListPage<Row>, edition: number): void {
    const before = known.rows ?? none;
    Object.assign(known, { rows: this.#same(before, rows), count: rows.length, edition });
    const after = this.#leaves[index + 1];
    if (next === undefined) {
      this.#leaves.length = index + 1;
      this.#next = undefined;
      this.#stopped = undefined;
    } else if (next !== (after ? after.cursor : this.#next)) {
      const out = pushedOut(before, rows, this.#options.keyOf);
      if (after) {
        Object.assign(after, { cursor: next, edition: NEVER });
        if (after.rows) {
          after.rows = [...out, ...after.rows];
          after.count = after.rows.length;
        }
      } else if (out.length > 0) {
        this.#leaves.push({ cursor: next, start: 0, count: out.length, rows: out, edition: NEVER });
      } else this.#next = next;
    }
    this.#renumber();
  }

  /** The present rows. A row without a change is the same object as before: it need not be drawn again. */
  #same(before: readonly Row[], rows: readonly Row[]): readonly Row[] {
    const { keyOf } = this.#options;
    const known = new Map(before.map((row) => [keyOf(row), row]));
    return rows.map((row) => replaceEqualDeep(known.get(keyOf(row)), row));
  }

  /** Takes rows out of the pages that were read before them: a record is in the list once. */
  #dropOlder(rows: readonly Row[], edition: number): void {
    const older = this.#leaves.filter((leaf) => leaf.edition < edition && leaf.rows);
    if (older.length === 0) return;
    const { keyOf } = this.#options;
    const here = new Set(rows.map(keyOf));
    for (const leaf of older) {
      leaf.rows = leaf.rows?.filter((row) => !here.has(keyOf(row)));
      leaf.count = leaf.rows?.length ?? 0;
    }
    this.#renumber();
  }

  #renumber(): void {
    let start = 0;
    for (const leaf of this.#leaves) {
      leaf.start = start;
      start += leaf.count;
    }
  }

  /** Drops the pages farthest from the view, but never the first: read again it would have other rows. */
  #letGo(): void {
    const { held } = this.#options;
    const middle = this.#leafAt((this.#view.first + this.#view.last) / 2);
    const from = Math.max(0, Math.min(middle - Math.floor(held / 2), this.#leaves.length - held));
    this.#leaves.forEach((leaf, i) => {
      if (i > 0 && (i < from || i >= from + held)) leaf.rows = undefined;
    });
  }

  /** The index of the page that has a row, or of the nearest. */
  #leafAt(index: number): number {
    let low = 0;
    let high = this.#leaves.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#leaves[middle]?.start ?? 0) <= index) low = middle;
      else high = middle - 1;
    }
    return Math.max(low, 0);
  }

  #changed(): void {
    this.#version += 1;
    for (const listener of this.#listeners) listener();
  }
}

/** The rows of a page that are after the last one that it still has. */
function pushedOut<Row>(before: readonly Row[], now: readonly Row[], keyOf: (row: Row) => Key): readonly Row[] {
  const still = new Set(now.map(keyOf));
  return before.slice(before.findLastIndex((row) => still.has(keyOf(row))) + 1);
}
