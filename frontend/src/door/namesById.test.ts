import { describe, expect, it } from 'vitest';
import { addNames, withNames } from './namesById';

const cart = {
  customer: { id: 'cus_1', name: 'Ana Ruiz' },
  savedAddresses: [{ id: 'adr_1', label: 'Home', text: '123 Main St' }],
  savedPaymentMethods: [{ id: 'pm_1', label: 'Visa ending 4242' }],
};

describe('addNames', () => {
  const names = addNames({}, cart);
  it('knows what results named, at any depth', () =>
    expect(names).toEqual({ cus_1: 'Ana Ruiz', adr_1: 'Home: 123 Main St', pm_1: 'Visa ending 4242' }));
  it('knows what is named beside a reference', () => {
    const line = { itemId: 'p1', kindId: 'v1', name: 'Guji', label: '250 g', quantity: 2 };
    const references = { itemId: ['name'], kindId: ['name', 'label'], methodId: ['label'] };
    expect(addNames({}, { line, refunds: [{ methodId: 'pm_1', label: 'Visa' }] }, references)).toEqual({
      ...{ p1: 'Guji', v1: 'Guji, 250 g' },
      pm_1: 'Visa',
    });
    expect(addNames({}, { line })).toEqual({});
  });
  it('keeps what it knew', () => expect(addNames(names, { id: 'x', name: 'X' }).cus_1).toBe('Ana Ruiz'));
  it('learns nothing from what has no names', () => expect(addNames(names, [1, 'a', null])).toBe(names));
});

describe('withNames', () => {
  it('puts a name for an id', () => expect(withNames('pm_1', { pm_1: 'Visa' })).toBe('Visa'));
  it('puts names inside lists and things too', () =>
    expect(withNames({ lines: [{ variantId: 'v1', quantity: 2 }] }, { v1: 'Guji, 250 g' })).toEqual({
      lines: [{ variantId: 'Guji, 250 g', quantity: 2 }],
    }));
  it('leaves everything else', () => expect(withNames(2, { 2: 'two' })).toBe(2));
});
