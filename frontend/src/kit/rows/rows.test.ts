import { describe, expect, it } from 'vitest';
import { keyOf } from '../../bridge/names';
import { currencyIn, namesInRows, type RecordInRow, readRow, recordsInRows, type Vocabulary } from './rows';

const vocabulary: Vocabulary = {
  tables: { orders: 'Order' },
  columns: { method_id: 'Payment method' },
  units: { total: 'money', paid: 'flag', limit: 'percent', rate_ppm: 'rate' },
  words: { status: { pending: 'Pending' } },
  references: {},
};
const kinds: Record<string, string> = {
  ...{ method_id: 'method', owner_id: 'person', cart_id: 'cart', variant_id: 'variant' },
  ...{ 'people.id': 'person', 'variants.id': 'variant', 'carts.id': 'cart', 'payments.id': 'payments.id' },
};
const recordOf: RecordInRow = (table, column, id) => {
  const entity = Object.hasOwn(kinds, column) ? kinds[column] : kinds[`${table}.${column}`];
  return entity && typeof id === 'string' ? { entity, id } : undefined;
};
const named = (...names: [entity: string, id: string, name: string][]) =>
  new Map(names.map(([entity, id, name]) => [keyOf({ entity, id }), name]));
const read = (change: Parameters<typeof readRow>[0]) =>
  readRow(change, vocabulary, {
    ...{ currency: 'USD', recordOf },
    names: named(['method', 'pm_1', 'Visa'], ['person', 'pm_1', 'Ana']),
  });

describe('readRow', () => {
  it('shows a new row without its key, empty values and hidden columns', () => {
    const row = read({
      table: 'orders',
      op: 'insert',
      key: { id: '#W1' },
      after: { id: '#W1', total: 4783, note: '', name_fold: 'ana', method_id: 'pm_1', paid: 1 },
    });
    expect(row).toEqual({
      title: 'Order',
      key: '#W1',
      op: 'insert',
      fields: [
        { column: 'total', label: 'Total', before: undefined, after: '$47.83', reference: false },
        { column: 'paid', label: 'Paid', before: undefined, after: 'yes', reference: false },
        { column: 'method_id', label: 'Payment method', before: undefined, after: 'Visa', reference: true },
      ],
    });
  });
  it('shows both sides of a changed row, zero and none included', () => {
    const row = read({
      table: 'orders',
      op: 'update',
      key: { id: 'x' },
      before: { stock: 2, placed_at: 0 },
      after: { stock: 0, placed_at: 0 },
    });
    expect(row.fields).toEqual([
      { column: 'stock', label: 'Stock', before: '2', after: '0', reference: false },
      { column: 'placed_at', label: 'Placed at', before: 'not yet', after: 'not yet', reference: false },
    ]);
  });
  it('shows what happened now without the time before it', () => {
    const at = Date.UTC(2026, 10, 29, 12);
    const { fields } = read({ table: 'orders', op: 'update', before: { paid_at: 0 }, after: { paid_at: at } });
    expect(fields).toMatchObject([{ column: 'paid_at', before: undefined }]);
    expect(fields[0]?.after).toContain('2026');
  });
  it('reads a number by the unit of its column', () => {
    const after = { total: 4783, limit: 15, rate_ppm: 26_000, paid: 1, stock: 4783 };
    const { fields } = read({ table: 'orders', op: 'insert', after });
    expect(fields.map((field) => field.after)).toEqual(['$47.83', '15%', '2.6%', 'yes', '4783']);
  });
  it('names a record in a column of its kind, and no equal text', () => {
    const after = { method_id: 'pm_1', owner_id: 'pm_1', note: 'pm_1', cart_id: 'pm_1' };
    const row = read({ table: 'orders', op: 'insert', key: { id: 'pm_1' }, after });
    expect([row.key, ...row.fields.map(({ column, after }) => `${column} ${after}`)]).toEqual([
      ...['pm_1', 'note pm_1', 'method_id Visa', 'owner_id Ana', 'cart_id pm_1'],
    ]);
  });
  it('calls the words of the application as people do, and leaves those of people', () => {
    const row = read({
      table: 'orders',
      op: 'insert',
      after: { status: 'pending', note: 'pending', due: '2026-11-25' },
    });
    expect(row.fields.map(({ after }) => after)).toEqual(['Pending', 'pending', 'Nov 25, 2026']);
  });
  it.each(['constructor', 'valueOf', 'toString', '__proto__'])(
    'shows %s as a table, a column, a key and a value',
    (word) => {
      const after = JSON.parse(`{"id": "${word}", "${word}": "x", "status": "${word}", "note": "${word}"}`);
      const row = read({ table: word, op: 'insert', key: { id: word }, after });
      expect(row.title.toLowerCase().replaceAll(/\W/g, '')).toBe(word.toLowerCase().replaceAll('_', ''));
      expect(row.key).toBe(word);
      expect(row.fields.map(({ column, after }) => [column, after])).toEqual([
        [word, 'x'],
        ['status', word],
        ['note', word],
      ]);
    },
  );
  it('reads a table it has no words for by its own name', () => {
    expect(read({ table: 'gift_cards', op: 'delete', key: { id: 1 }, before: { code: 'A' } }).title).toBe('Gift cards');
  });
});

describe('namesInRows', () => {
  it('names new and removed rows by their own name or label', () =>
    expect(
      namesInRows(
        [
          { table: 'payments', op: 'insert', key: { id: 'p1' }, after: { method_id: 'pm_1', label: 'Visa' } },
          { table: 'people', op: 'delete', key: { id: 'p1' }, before: { name: 'Ana', label: 'x' } },
          { table: 'carts', op: 'update', key: { id: 'k1' }, before: { note: '' }, after: { note: 'x' } },
          { table: 'labels', op: 'insert', key: { id: 'l1' }, after: { name: 'of no kind' } },
        ],
        recordOf,
      ),
    ).toEqual(named(['payments.id', 'p1', 'Visa'], ['person', 'p1', 'Ana'])));
  it('names a row by what another one told', () => {
    const change = { table: 'variants', op: 'update', key: { id: 'var_1' }, before: { stock: 2 }, after: { stock: 1 } };
    expect(readRow(change, vocabulary, { recordOf, names: named(['variant', 'var_1', 'Guji, 250 g']) }).key).toBe(
      'Guji, 250 g',
    );
  });

  it('leaves out of a key what chance made, unless it is named', () => {
    const key = { cart_id: 'cart_31pztqhqddg6evp2', variant_id: 'var_guji_natural_1' };
    const change = { table: 'cart_lines', op: 'insert', key };
    expect(readRow(change, vocabulary).key).toBe('var_guji_natural_1');
    expect(readRow(change, vocabulary, { recordOf, names: named(['cart', key.cart_id, 'Ana’s cart']) }).key).toBe(
      'Ana’s cart · var_guji_natural_1',
    );
  });
});

describe('recordsInRows', () => {
  it('finds ids in keys and on both sides of a change, by table and column', () => {
    const sides = { before: { owner_id: null }, after: { owner_id: 'c1', note: 'c2' } };
    expect(recordsInRows([{ table: 'carts', op: 'update', key: { id: 'k1' }, ...sides }], recordOf)).toEqual([
      { entity: 'person', id: 'c1' },
      { entity: 'cart', id: 'k1' },
    ]);
  });
});

describe('currencyIn', () => {
  it('finds the currency of an amount', () =>
    expect(currencyIn({ id: 'a', amount: { amount: 1, currency: 'EUR' } })).toBe('EUR'));
  it('finds none where there is none', () => expect(currencyIn({ id: 'a' })).toBeUndefined());
});
