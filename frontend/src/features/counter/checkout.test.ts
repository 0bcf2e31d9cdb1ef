import { describe, expect, it } from 'vitest';
import type { ManifestEntry } from '../../door/manifest';
import { selected, whyNot } from './checkout';

const home = { id: 'home' };
const work = { id: 'work', default: true };

describe('selected', () => {
  it('keeps what the person chose', () => expect(selected([home, work], 'home')).toBe('home'));
  it('falls back to the default when that is gone', () => expect(selected([home, work], 'old')).toBe('work'));
  it('takes the only one', () => expect(selected([home], undefined)).toBe('home'));
  it('guesses nothing among several', () => expect(selected([home, { id: 'b' }], undefined)).toBeUndefined());
});

describe('whyNot', () => {
  const entry: ManifestEntry = { name: 'checkout.submit', title: '', side_effect: 'destructive', available: true };
  const ready = { entry, problems: [], addressId: 'a', methodId: 'm' };
  it('is silent when the order can be submitted', () => expect(whyNot(ready)).toBeUndefined());
  it('says what is wrong with the cart', () =>
    expect(whyNot({ ...ready, problems: ['The cart has no customer.', 'x'] })).toBe('The cart has no customer.'));
  it('gives the application’s reason', () =>
    expect(whyNot({ ...ready, entry: { ...entry, available: false, unavailable_reason: 'No shop.' } })).toBe(
      'No shop.',
    ));
  it('asks for an address, then for a payment method', () => {
    expect(whyNot({ ...ready, addressId: undefined, methodId: undefined })).toMatch(/goes/);
    expect(whyNot({ ...ready, methodId: undefined })).toMatch(/paid/);
  });
  it('says so when the person may not', () => expect(whyNot({ ...ready, entry: undefined })).toMatch(/may not/));
});
