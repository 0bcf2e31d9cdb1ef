import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../bridge/wire';
import {
  addText,
  choicesIn,
  entryOf,
  fieldOf,
  kindOf,
  labelOf,
  lacking,
  lookupOf,
  trimmed,
  withoutFields,
} from './fields';

describe('lookupOf', () => {
  it('reads capability and list', () =>
    expect(lookupOf({ 'x-entity': 'product' }, { product: 'catalog.search#/products' })).toEqual({
      capability: 'catalog.search',
      pointer: '/products',
    }));
  it('is nothing for what is no id, and for ids that are found nowhere', () => {
    expect(lookupOf({}, { product: 'catalog.search#/products' })).toBeUndefined();
    expect(lookupOf({ 'x-entity': 'customer' }, { product: 'catalog.search#/products' })).toBeUndefined();
    expect(lookupOf({ 'x-entity': 'product' }, undefined)).toBeUndefined();
  });
});

describe('choicesIn', () => {
  it('names things by name, with what tells them apart', () =>
    expect(
      choicesIn(
        [
          { id: 'c1', name: 'Ana Ruiz', email: 'ana@example.org' },
          { id: 'a1', label: 'Home', text: '123 Main St' },
        ],
        ['text', 'email'],
      ),
    ).toEqual([
      { value: 'c1', label: 'Ana Ruiz · ana@example.org', name: 'Ana Ruiz' },
      { value: 'a1', label: 'Home · 123 Main St', name: 'Home' },
    ]));
  it('leaves out what has no id', () => expect(choicesIn([{ name: 'x' }, 'y', null], [])).toEqual([]));
});

describe('labelOf', () => {
  it('is the title of a field, or its name in words', () => {
    expect(labelOf('productId', {})).toBe('Product');
    expect(labelOf('note', { title: 'Your note' })).toBe('Your note');
  });
});

describe('fieldOf and entryOf', () => {
  const line = { properties: { price: { $ref: '#/$defs/Price' } } };
  const schema: JsonObject = {
    properties: { lines: { type: 'array', items: { $ref: '#/$defs/Line' } } },
    $defs: { Line: line, Price: { type: 'integer' } },
  };
  it('follow references at every depth', () =>
    expect(fieldOf(entryOf(fieldOf(schema, 'lines')), 'price').type).toBe('integer'));
});

describe('kindOf', () => {
  const sources = { product: 'catalog.search#/products', variant: 'order.get#/lines' };
  const money = { type: 'object', properties: { amount: { type: 'integer' }, currency: { type: 'string' } } };
  it.each<[string, JsonObject, string]>([
    ['productId', { type: 'string', 'x-entity': 'product' }, 'lookup'],
    ['ghostId', { type: 'string', 'x-entity': 'ghost' }, 'text'],
    ['from', { type: 'string', 'x-file': 'csv' }, 'file'],
    ['file', { type: 'string' }, 'hidden'],
    ['quantity', { type: 'integer' }, 'number'],
    ['weight', { type: 'number' }, 'number'],
    ['kind', { type: 'string', enum: ['a'] }, 'choice'],
    ['size', { type: 'integer', enum: [1] }, 'choice'],
    ['kinds', { type: 'array', items: { enum: ['a'] } }, 'choices'],
    ['tags', { type: 'array', items: { type: 'string' } }, 'texts'],
    ['productIds', { type: 'array', items: { type: 'string', 'x-entity': 'product' } }, 'list'],
    ['lines', { type: 'array', items: { type: 'object', properties: {} } }, 'list'],
    ['costs', { type: 'array' }, 'hidden'],
    ['price', money, 'money'],
    ['part', { ...money, properties: { ...money.properties, text: {} } }, 'part'],
    ['options', { type: 'object', additionalProperties: { type: 'string' } }, 'map'],
    ['arguments', { type: 'object' }, 'hidden'],
    ['here', { type: 'boolean' }, 'flag'],
    ['since', { type: 'string', format: 'date' }, 'day'],
    ['pin', { type: 'string', writeOnly: true }, 'secret'],
    ['name', { type: 'string' }, 'text'],
    ['constructor', { type: 'string', 'x-entity': 'constructor' }, 'text'],
  ])('of %s %j is %s', (name, schema, kind) => expect(kindOf(name, schema, sources)).toBe(kind));
  it('is that of the field itself where every object inherits its name', () => {
    const schema = JSON.parse('{"properties": {"__proto__": {"x-file": "csv"}}}');
    expect(kindOf('__proto__', fieldOf(schema, '__proto__'), {})).toBe('file');
    expect(kindOf('constructor', fieldOf(schema, 'constructor'), {})).toBe('text');
  });
});

describe('addText', () => {
  it.each([
    ['Address', 'Add an address'],
    ['Price', 'Add a price'],
  ])('says how to add %s', (title, text) => expect(addText(title)).toBe(text));
});

describe('a form of some fields', () => {
  const schema: JsonObject = {
    properties: { orderId: {}, text: { title: 'Note' }, lines: { type: 'array' }, pin: { writeOnly: true } },
    required: ['orderId', 'text', 'lines'],
  };
  const asked = withoutFields(schema, ['orderId']);
  it('says what is needed and empty', () => {
    expect(lacking(asked, { text: ' ', lines: [] })).toEqual(['Note', 'Lines']);
    expect(lacking(asked, { text: 'a', lines: [{}] })).toEqual([]);
  });
  it('is sent without blanks around its texts, but for a secret', () =>
    expect(trimmed(asked, { text: ' a ', pin: ' 1 ', lines: [] })).toEqual({ text: 'a', pin: ' 1 ', lines: [] }));
});
