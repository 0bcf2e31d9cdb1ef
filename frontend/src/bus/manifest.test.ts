import { describe, expect, it } from 'vitest';
import { byTitles, type ManifestEntry } from './manifest';

const known: ManifestEntry[] = [
  { name: 'customer.addPayment', title: 'Add a payment method', side_effect: 'ui-only', available: true },
];

describe('byTitles', () => {
  it('calls a capability as people know it', () =>
    expect(byTitles('Invoke customer.addPayment, then try again.', known)).toBe(
      'Invoke “Add a payment method”, then try again.',
    ));
  it('leaves alone what is none', () =>
    expect(byTitles('See shop.db at example.com.', known)).toBe('See shop.db at example.com.'));
  it('has nothing to say of nothing', () => expect(byTitles(undefined, known)).toBeUndefined());
});
