import { describe, expect, it } from 'vitest';
import type { BusEvent } from '../../bridge/wire';
import { isOwnDeed, runningAfter } from './running';

const done = (capability: string, more: Partial<BusEvent> = {}): BusEvent =>
  ({
    type: 'invocation',
    capability,
    request_id: 'r1',
    status: 'success',
    caller: { type: 'ui' },
    ...more,
  }) as BusEvent;

describe('runningAfter', () => {
  const begun = runningAfter([], { type: 'progress', task_id: 'r1', percent: 5, message: 'Reading' });
  it('has what tells of its progress', () => expect(begun).toEqual([{ id: 'r1', percent: 5, message: 'Reading' }]));
  it('knows how far it is', () =>
    expect(runningAfter(begun, { type: 'progress', task_id: 'r1', percent: 40 })).toEqual([
      { id: 'r1', percent: 40, message: 'Reading' },
    ]));
  it('lets it go with its result', () => expect(runningAfter(begun, done('catalog.import'))).toEqual([]));
  it('keeps it when something else is done', () =>
    expect(runningAfter(begun, done('cart.clear', { request_id: 'r2' }))).toBe(begun));
});

describe('isOwnDeed', () => {
  it('is what was done by hand', () => expect(isOwnDeed(done('customer.update'), ['cart'])).toBe(true));
  it('is not the assistant’s', () =>
    expect(isOwnDeed(done('customer.update', { caller: { type: 'agent' } }), ['cart'])).toBe(false));
  it('is no try', () => expect(isOwnDeed(done('customer.update', { dry_run: true }), ['cart'])).toBe(false));
  it('is not what failed', () => expect(isOwnDeed(done('customer.update', { status: 'error' }), ['cart'])).toBe(false));
  it('is not what is seen where it is done', () => expect(isOwnDeed(done('cart.addItem'), ['cart'])).toBe(false));
});
