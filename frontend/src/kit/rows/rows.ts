import { keyOf, type Names, nameOf } from '../../bridge/names';
import type { RecordRef } from '../../bridge/records';
import { formatDays, formatMoment, formatMoney, humanize, locale } from '../../language/format';
import { i18n } from '../../language/i18n';
import { own } from '../../language/own';
import { visible } from '../../language/readable';

const percents = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 4 });

/** The meaning of the numbers in a column: minor units of the currency, percent, parts per million, 0 or 1, or pieces. */
export type Unit = 'money' | 'percent' | 'rate' | 'flag' | 'count';

/**
 * The titles of tables and columns, and the meaning of their numbers. Rows are read in the sequence of the
 * tables here. An empty column name hides it; so does the ending _fold, which the database searches by.
 * A number in a column `at` or ending in _at is a moment, unless it has a unit.
 */
export interface Vocabulary {
  tables: Record<string, string>;
  columns: Record<string, string>;
  units: Readonly<Record<string, Unit>>;
  /** Columns that hold a word of the application, and what each word is called: how far something has come, or why. */
  words: Record<string, Readonly<Record<string, string>>>;
  /** Columns that hold an id, and the kind of record it is of: for all tables, or as "table.column" for one. */
  references: Record<string, string>;
}

/** One changed row as the database tells it. */
export interface RowChange {
  table: string;
  /** Absent where a change stands for many rows. */
  key?: Record<string, unknown>;
  op: string;
  before?: Record<string, unknown>;
  after?: Record<string, unknown>;
}

/** One column of a changed row, in words; before and after are absent where there was or is nothing. */
export interface ReadableField {
  column: string;
  label: string;
  before?: string;
  after?: string;
  /** It refers to another row; the row's own columns come first. */
  reference: boolean;
}

/** A changed row, in words. */
export interface ReadableRow {
  title: string;
  key: string;
  op: RowChange['op'];
  fields: ReadableField[];
}

/** The record that a value in a column is the id of; undefined if it is of none. */
export type RecordInRow = (table: string, column: string, id: unknown) => RecordRef | undefined;

/** The context of the row: the currency of its amounts, the records that it refers to, and their names. */
export interface RowContext {
  currency?: string;
  recordOf?: RecordInRow;
  names?: Names;
}

/** Puts a changed row into words. Values of no content (empty, zero, none) are left out of new and deleted rows. */
export function readRow(change: RowChange, vocabulary: Vocabulary, context: RowContext = {}): ReadableRow {
  const { table, before = {}, after = {}, op, key = {} } = change;
  const named = (column: string, id: unknown) => {
    return context.names && nameOf(context.names, context.recordOf?.(table, column, id));
  };
  const columns = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const fields = columns.flatMap((column): ReadableField[] => {
    const label = own(vocabulary.columns, column) ?? humanize(column);
    if (!label || column.endsWith('_fold')) return [];
    if (op !== 'update' && (isNothing(own(before, column) ?? own(after, column)) || Object.hasOwn(key, column)))
      return [];
    const read = (value: unknown) =>
      value === undefined ? undefined : cell(column, value, vocabulary, context.currency, named(column, value));
    const reference = column.endsWith('_id');
    const was = own(before, column);
    const pending = was === 0 && own(after, column) && isMoment(column, vocabulary); // it had not happened
    return [{ column, label, before: pending ? undefined : read(was), after: read(own(after, column)), reference }];
  });
  return {
    title: own(vocabulary.tables, table) ?? humanize(table),
    key: Object.entries(key)
      .map(([column, part]) => visible(named(column, part) ?? (isMade(part) ? '' : String(part))))
      .filter(Boolean)
      .join(' · '),
    op,
    fields: [...fields.filter((field) => !field.reference), ...fields.filter((field) => field.reference)],
  };
}

/** Rows as people read them: what weighs most first, then what has no weight, then rows of which nothing is shown. */
export function byWeight<T extends { change: RowChange; row: ReadableRow }>(all: readonly T[], vocabulary: Vocabulary) {
  const tables = Object.keys(vocabulary.tables);
  const weight = ({ change: { table, op }, row: { fields } }: T) => {
    if (fields.length === 0 && op === 'update') return tables.length + 1;
    return tables.includes(table) ? tables.indexOf(table) : tables.length;
  };
  return all.toSorted((a, b) => weight(a) - weight(b));
}

/** Whether an id is one that only a program has use for: a prefix, and then what chance made. */
function isMade(id: unknown): boolean {
  return typeof id === 'string' && /^[a-z]+_(?=[a-z]*\d)[a-z\d]{16}$/.test(id);
}

function isNothing(value: unknown): boolean {
  return value === null || value === '' || value === 0;
}

function cell(column: string, value: unknown, vocabulary: Vocabulary, currency?: string, name?: string): string {
  if (value === null || value === '') return i18n._('none');
  if (typeof value === 'number') {
    if (isMoment(column, vocabulary)) return value === 0 ? i18n._('not yet') : formatMoment(value);
    return number(value, own(vocabulary.units, column), currency);
  }
  if (typeof value === 'object') return visible(JSON.stringify(value));
  const text = String(value);
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return formatDays(text, text);
  return own(own(vocabulary.words, column), text) ?? visible(name ?? text);
}

/** The names that rows give themselves: a new one is not there yet, a removed one no longer. */
export function namesInRows(rows: readonly RowChange[], recordOf: RecordInRow): Names {
  const named = rows.flatMap(({ table, before, after, key }): [string, string][] => {
    const { id, name, label } = { ...before, ...after, ...key };
    const [record, word] = [recordOf(table, 'id', id), name ?? label];
    return record && typeof word === 'string' && word !== '' ? [[keyOf(record), word]] : [];
  });
  return new Map(named);
}

/** The records that rows refer to. */
export function recordsInRows(rows: readonly RowChange[], recordOf: RecordInRow): RecordRef[] {
  return rows.flatMap(({ table, before, after, key }) =>
    [before, after, key].flatMap((part) =>
      Object.entries(part ?? {}).flatMap(([column, id]) => recordOf(table, column, id) ?? []),
    ),
  );
}

/** The currency of the first amount of money in some values, such as the facts of a call. */
export function currencyIn(values: object | undefined): string | undefined {
  for (const value of Object.values(values ?? {})) {
    if (value && typeof value === 'object' && typeof value.amount === 'number' && typeof value.currency === 'string') {
      return value.currency;
    }
  }
  return undefined;
}

function isMoment(column: string, { units }: Vocabulary): boolean {
  return /(^|_)at$/.test(column) && !Object.hasOwn(units, column);
}

function number(value: number, unit?: Unit, currency?: string): string {
  switch (unit) {
    case 'money':
      return currency ? formatMoney({ amount: value, currency }) : String(value);
    case 'percent':
      return percents.format(value / 100);
    case 'rate':
      return percents.format(value / 1_000_000);
    case 'flag':
      return value ? i18n._('yes') : i18n._('no');
    default:
      return String(value);
  }
}
