import { describe, expect, it } from 'vitest';
import { own } from '../../language/own';
import { draftOfProduct, draftOfVariant, newVariant, productChange, variantChange, variantMissing } from './draft';
import type { FullProduct, Variant } from './product';

const variant: Variant = {
  ...{ id: 'v', sku: 'G-250', label: '250 g', options: { Size: '250 g' }, available: true, stock: 5 },
  price: { amount: 1800, currency: 'USD' },
};
const product: FullProduct = {
  ...{ id: 'p', name: 'Guji', description: 'Floral.', tags: ['coffee'], optionNames: ['Size'], taxClass: 'food' },
  ...{ variants: [variant], priceChanges: [], stockMovements: [] },
};

describe('a new variant', () => {
  const draft = { ...draftOfVariant(['Size']), values: { Size: ' 1 kg ' }, price: 5400 };
  it('needs a value for each option, and a price', () => {
    expect(variantMissing(['Size'], draft)).toBeUndefined();
    expect(variantMissing(['Size', 'Grind'], { ...draft, price: undefined })).toBe('Fill in: Grind, Price.');
  });
  it('is sent without what was left empty', () =>
    expect(newVariant(['Size'], draft, 'USD')).toEqual({
      ...{ options: { Size: '1 kg' }, price: { amount: 5400, currency: 'USD' } },
    }));
  it('keeps the values of the other options when one is taken away', () => {
    const two = { ...draft, values: { Size: '1 kg', Grind: 'Fine' } };
    expect(newVariant(['Grind'], two, 'USD').options).toEqual({ Grind: 'Fine' });
    expect(newVariant(['Grind', 'Size'], two, 'USD').options).toEqual({ Grind: 'Fine', Size: '1 kg' });
  });
  it.each(['constructor', '__proto__', 'valueOf'])('has to have a value for an option named %s', (name) => {
    const empty = { ...draftOfVariant([name]), price: 100 };
    expect(variantMissing([name], { ...empty, values: {} })).toBe(`Fill in: ${name}.`);
    expect(own(draftOfVariant([name], variant).values, name)).toBe('');
    expect(variantChange([name], draftOfVariant([name], variant), variant)).toBeUndefined();
  });
  it('of a product without options has none', () =>
    expect(newVariant([], { ...draft, stock: 3, preferred: true }, 'USD')).toEqual({
      ...{ price: { amount: 5400, currency: 'USD' }, stock: 3, default: true },
    }));
});

describe('a variant that is changed', () => {
  const draft = draftOfVariant(['Size'], variant);
  it('sends nothing when nothing differs', () => expect(variantChange(['Size'], draft, variant)).toBeUndefined());
  it('sends what differs, and that it is not for sale', () =>
    expect(variantChange(['Size'], { ...draft, sku: '', forSale: false }, variant)).toEqual({
      ...{ variantId: 'v', sku: '', available: false },
    }));
  it('sends that it may be sold ahead', () =>
    expect(variantChange(['Size'], { ...draft, ahead: true }, variant)).toEqual({ variantId: 'v', backorder: true }));
  it('is still for sale when it is sold out', () =>
    expect(draftOfVariant(['Size'], { ...variant, available: false, stock: 0 }).forSale).toBe(true));
  it('sends all values when one differs', () =>
    expect(variantChange(['Size'], { ...draft, values: { Size: '500 g' } }, variant)).toEqual({
      ...{ variantId: 'v', options: { Size: '500 g' } },
    }));
});

describe('a product that is changed', () => {
  const draft = draftOfProduct(product);
  it('sends nothing when nothing differs', () => expect(productChange(draft, product)).toBeUndefined());
  it('sends what differs', () =>
    expect(productChange({ ...draft, name: 'Guji Natural ', tags: [] }, product)).toEqual({
      ...{ productId: 'p', name: 'Guji Natural', tags: [] },
    }));
});
