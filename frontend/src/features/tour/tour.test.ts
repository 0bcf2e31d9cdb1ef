import { describe, expect, it } from 'vitest';
import type { Manifest } from '../../bridge/manifest';
import type { BusEvent } from '../../bridge/wire';
import { doneBy, hear, inTheWay, runningOf, type Step, type Tours } from './tour';

const step = (id: string, capability: string, more: Partial<Step> = {}): Step => ({
  ...{ id, capability, title: id, text: '', page: 'counter', state: 'open' },
  ...more,
});
const steps = [
  step('item', 'cart.addItem'),
  step('tax', 'settings.set', { subject: 'tax' }),
  step('shipping', 'settings.set', { subject: 'shipping' }),
];
const done = (capability: string, more: object = {}): BusEvent => ({
  ...{ type: 'invocation', request_id: 'r', capability, status: 'success' },
  ...more,
});
const changed = (domain: string, id: string): BusEvent => ({ type: 'stateChange', request_id: 'r', domain, ids: [id] });
const doneAfter = (...events: BusEvent[]) =>
  doneBy(events.reduce(hear, [] as ReturnType<typeof hear>), steps).map(({ id }) => id);

describe('a step', () => {
  it.each(['ui', 'agent', 'cli'])('is done by whoever uses its capability: %s', (type) =>
    expect(doneAfter(done('cart.addItem', { caller: { type } }))).toEqual(['item']),
  );
  it('is not done by what failed, or was only looked at', () => {
    expect(doneAfter(done('cart.addItem', { status: 'error' }))).toEqual([]);
    expect(doneAfter(done('cart.addItem', { dry_run: true }))).toEqual([]);
  });
  it('is not done by another capability', () => expect(doneAfter(done('cart.hold'))).toEqual([]));
  it('with a subject is done by a change of that, whichever is heard first', () => {
    expect(doneAfter(done('settings.set'))).toEqual([]);
    expect(doneAfter(done('settings.set'), changed('settings', 'tax'))).toEqual(['tax']);
    expect(doneAfter(changed('settings', 'shipping'), done('settings.set'))).toEqual(['shipping']);
  });
  it('is not done by a change of another request', () =>
    expect(doneAfter(changed('settings', 'tax'), done('settings.set', { request_id: 'other' }))).toEqual([]));
  it('is done once', () => {
    const heard = hear([], done('cart.addItem'));
    expect(doneBy(heard, [step('item', 'cart.addItem', { state: 'skipped' })])).toEqual([]);
  });
});

describe('the tour that is being taken', () => {
  const tours: Tours = { tours: [{ id: 'desk', title: 'Desk', about: '', state: 'running', steps }] };
  it('is at its first open step', () =>
    expect(runningOf({ ...tours, running: 'desk', step: 'tax' })).toMatchObject({ at: 1, step: { id: 'tax' } }));
  it('is none when nobody takes one', () => expect(runningOf(tours)).toBeUndefined());
});

describe('what is in the way', () => {
  const manifest = {
    capabilities: [{ name: 'cart.addItem', available: false, unavailable_reason: 'There is nothing to sell.' }],
  } as Manifest;
  it('is the reason of the capability', () =>
    expect(inTheWay(manifest, step('item', 'cart.addItem'))).toBe('There is nothing to sell.'));
  it('is that somebody may not, where the manifest has it not', () =>
    expect(inTheWay(manifest, step('pin', 'staff.setPin'))).toBe('You may not do this.'));
  it('is nothing while the manifest is on its way', () =>
    expect(inTheWay(undefined, step('item', 'cart.addItem'))).toBeUndefined());
});
