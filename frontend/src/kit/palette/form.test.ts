import { describe, expect, it } from 'vitest';
import { at } from '../../bridge/schema';
import { addText, choicesIn, errorsAt, lookupOf, uiOf, withTitles } from './form';

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

describe('withTitles', () => {
  it('names properties, nested ones too, and keeps names that are there', () => {
    const schema = withTitles({
      properties: { productId: {}, note: { title: 'Your note' } },
      $defs: { Price: { properties: { amountDue: {} } } },
    });
    expect(schema.properties).toMatchObject({ productId: { title: 'Product' }, note: { title: 'Your note' } });
    expect(schema.$defs).toMatchObject({ Price: { properties: { amountDue: { title: 'Amount due' } } } });
  });
});

describe('withTitles of a list', () => {
  it('names the fields of its entries', () =>
    expect(
      withTitles({ properties: { lines: { type: 'array', items: { properties: { newVariantId: {} } } } } }).properties,
    ).toMatchObject({ lines: { items: { properties: { newVariantId: { title: 'New variant' } } } } }));
});

describe('uiOf', () => {
  it('shows look-ups as a search, files through the picker, and new files not at all', () => {
    const properties = {
      productId: { 'x-entity': 'product' },
      from: { 'x-file': 'csv' },
      file: {},
      quantity: {},
    };
    const ui = uiOf({ properties }, { product: 'catalog.search#/products' });
    expect(ui.productId).toEqual({ 'ui:widget': 'lookup' });
    expect(ui.from).toEqual({ 'ui:widget': 'pickedFile' });
    expect(ui.file).toEqual({ 'ui:widget': 'hidden' });
    expect(ui.quantity).toBeUndefined();
  });
  it('does so in the entries of a list and in the parts of an object', () => {
    const line = { properties: { variantId: { 'x-entity': 'variant' }, quantity: {} } };
    const ui = uiOf({ properties: { lines: { type: 'array', items: line }, line } }, { variant: 'order.get#/lines' });
    expect(ui.lines).toEqual({ items: { variantId: { 'ui:widget': 'lookup' } } });
    expect(ui.line).toEqual({ variantId: { 'ui:widget': 'lookup' } });
  });
});

describe('a field whose name every object inherits', () => {
  const properties = JSON.parse('{"__proto__": {"x-file": "csv"}, "constructor": {"type": "string"}}');
  it('is shown as its type is', () => {
    const ui = uiOf({ properties });
    expect(Object.getOwnPropertyDescriptor(ui, '__proto__')?.value).toEqual({ 'ui:widget': 'pickedFile' });
    expect(Object.hasOwn(ui, 'constructor')).toBe(false);
    expect(lookupOf({ 'x-entity': 'constructor' }, {})).toBeUndefined();
  });
});

describe('addText', () => {
  it.each([
    ['Address', 'Add an address'],
    ['Price', 'Add a price'],
  ])('says how to add %s', (title, text) => expect(addText(title)).toBe(text));
});

describe('errorsAt', () => {
  it('puts each violation at its field', () =>
    expect(
      errorsAt([
        { path: '/quantity', message: 'must be at least 1' },
        { path: '', message: 'too much' },
        { path: '/lines/0/id', message: 'is missing' },
      ]),
    ).toEqual({
      __errors: ['too much'],
      quantity: { __errors: ['must be at least 1'] },
      lines: { 0: { id: { __errors: ['is missing'] } } },
    }));
  it.each(['/__proto__', '/constructor/prototype', '/lines/__proto__/x'])('changes no other object by %s', (path) => {
    const errors = errorsAt([{ path, message: 'is missing' }]);
    expect(at(JSON.parse(JSON.stringify(errors)), path)).toEqual({ __errors: ['is missing'] });
    expect('__errors' in {}).toBe(false);
    expect('__errors' in Object).toBe(false);
  });
});
