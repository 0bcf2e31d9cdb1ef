import { describe, expect, it } from 'vitest';
import { type Manifest, type ManifestEntry, withCapabilityTitles, withStates } from './manifest';

const known: ManifestEntry[] = [
  { name: 'customer.addPayment', title: 'Add a payment method', side_effect: 'ui-only', available: true },
];

describe('withCapabilityTitles', () => {
  it('calls a capability as people know it', () =>
    expect(withCapabilityTitles('Invoke customer.addPayment, then try again.', known)).toBe(
      'Invoke “Add a payment method”, then try again.',
    ));
  it('leaves alone what is none', () =>
    expect(withCapabilityTitles('See shop.db at example.com.', known)).toBe('See shop.db at example.com.'));
  it('has nothing to say of nothing', () => expect(withCapabilityTitles(undefined, known)).toBeUndefined());
});

describe('withStates', () => {
  const entry = (name: string, now: Partial<ManifestEntry>): ManifestEntry => ({
    ...{ name, title: name, side_effect: 'pure', available: true, unavailable_reason: undefined, current: undefined },
    ...now,
  });
  const manifest: Manifest = {
    ...{ schema_version: '0.2.0', application: { name: 'Deskhand', version: '1' } },
    capabilities: [entry('cart.clear', {}), entry('theme.set', { current: { theme: 'dark' } })],
  };
  const dark = { name: 'theme.set', available: true, current: { theme: 'dark' } };

  it('is the same manifest where nothing changed', () =>
    expect(withStates(manifest, [{ name: 'cart.clear', available: true }, dark])).toBe(manifest));

  it('changes what changed and keeps the other entries', () => {
    const empty = { name: 'cart.clear', available: false, unavailable_reason: 'The cart is empty.' };
    const now = withStates(manifest, [empty, dark]);
    expect(now?.capabilities[0]).toMatchObject({ title: 'cart.clear', ...empty });
    expect(now?.capabilities[1]).toBe(manifest.capabilities[1]);
    const back =
      now &&
      withStates(now, [
        { name: 'cart.clear', available: true },
        { ...dark, current: 'light' },
      ]);
    expect(back?.capabilities[0]).toEqual(manifest.capabilities[0]);
    expect(back?.capabilities[1]?.current).toBe('light');
  });

  it('is none where other capabilities are meant', () => {
    expect(withStates(manifest, [dark])).toBeUndefined();
    expect(withStates(manifest, [dark, dark])).toBeUndefined();
    expect(withStates(manifest, [])).toBeUndefined();
  });
});
