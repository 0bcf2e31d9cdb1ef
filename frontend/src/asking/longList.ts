import type { BusError } from '../door/error';

/** A page as a long list takes it: what is shown of it, and where the next one begins. */
export interface LongListPage<Row> {
  rows: readonly Row[];
  /** The cursor of the next page; undefined on the last. */
  next?: string;
  /** The moment (ms since 1970) back to which was read, where the search paused; `more` continues it. */
  stopped?: number;
}

export interface LongListOptions {
  /** The number of rows that are read ahead on each side of the view. */
  ahead: number;
  /** The number of pages that are held; the others are read again by their cursor. */
  held: number;
  /** The greatest number of rows: an element has a greatest height. */
  most: number;
}

/** A page that was read: its rows may be dropped, its place is kept. */
interface Leaf<Row> {
  cursor: string;
  start: number;
  count: number;
  rows?: readonly Row[];
}

const defaults: LongListOptions = { ahead: 300, held: 400, most: 800_000 };

/**
 * A list of any length that is read page after page, of which only the pages
 * around what is in view are held. A page that was let go has left its cursor
 * behind, so that any place that was ever reached is read again in one step.
 */
export class LongList<Row> {
  readonly #read: (cursor: string) => Promise<LongListPage<Row>>;
  readonly #options: LongListOptions;
  readonly #listeners = new Set<() => void>();
  readonly #reading = new Set<string>();
  #leaves: Leaf<Row>[] = [];
  #view = { first: 0, last: 0 };
  #next: string | undefined = '';
  #stopped: number | undefined;
  #error: BusError | undefined;
  #version = 0;
  #edition = 0; // of the list: what an earlier one is answered is of no use

  constructor(read: (cursor: string) => Promise<LongListPage<Row>>, options: Partial<LongListOptions> = {}) {
    this.#read = read;
    this.#options = { ...defaults, ...options };
  }

  /** The number of known rows; there are more while `goesOn`. */
  get length(): number {
    const last = this.#leaves.at(-1);
    return last ? last.start + last.count : 0;
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
  show(first: number, last: number): void {
    this.#view = { first, last };
    if (!this.#error) this.#fill();
  }

  /** Continues a paused search. */
  more(): void {
    this.#stopped = undefined;
    this.#changed();
    if (this.#next !== undefined) this.#load(this.#next);
  }

  /** Tries again what failed. */
  retry(): void {
    this.#error = undefined;
    this.#changed();
    this.#fill();
  }

  /** Reads the list from its beginning again; what it shows stays until that is there. */
  restart(): void {
    this.#edition += 1;
    this.#reading.clear();
    this.#error = undefined;
    this.#view = { first: 0, last: 0 };
    this.#load('');
  }

  /** Reads what is in view, and when that is there what is around it. */
  #fill(): void {
    const { ahead } = this.#options;
    const { first, last } = this.#view;
    if (this.#loadBetween(first, last)) return;
    this.#loadBetween(first - ahead, last + ahead);
    if (last + ahead >= this.length && this.goesOn && this.#stopped === undefined && this.#next !== undefined)
      this.#load(this.#next);
  }

  /** Reads the pages again that were let go, and tells whether there are any. */
  #loadBetween(first: number, last: number): boolean {
    let missing = false;
    for (let i = this.#leafAt(first); i < this.#leaves.length; i += 1) {
      const leaf = this.#leaves[i];
      if (!leaf || leaf.start > last) break;
      if (leaf.rows || leaf.count === 0) continue;
      missing = true;
      this.#load(leaf.cursor);
    }
    return missing;
  }

  async #load(cursor: string): Promise<void> {
    if (this.#reading.has(cursor)) return;
    const edition = this.#edition;
    this.#reading.add(cursor);
    this.#changed();
    let page: LongListPage<Row> | undefined;
    let error: BusError | undefined;
    try {
      page = await this.#read(cursor);
    } catch (thrown) {
      error = thrown as BusError;
    }
    if (edition !== this.#edition) return;
    this.#reading.delete(cursor);
    this.#error = error;
    if (page) {
      this.#take(cursor, page);
      this.#letGo();
      this.#fill();
    }
    this.#changed();
  }

  #take(cursor: string, { rows, next, stopped }: LongListPage<Row>): void {
    if (cursor === '') this.#leaves = [];
    else if (cursor !== this.#next) {
      // Read before: rows of a page may have gone since, none have come.
      const known = this.#leaves.find((leaf) => leaf.cursor === cursor);
      if (known) known.rows = rows;
      return;
    }
    this.#leaves.push({ cursor, start: this.length, count: rows.length, rows });
    this.#next = next;
    this.#stopped = next === undefined ? undefined : stopped;
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

  /** The leaf that has an index, or the nearest. */
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
