import { describe, expect, it } from 'vitest';
import type { ManifestEntry } from '../../../bridge/manifest';
import { type ActionName, actionNames, actionReason, arranged } from './actions';

const entry: ManifestEntry = { name: 'order.cancel', title: '', side_effect: 'destructive', available: true };
const action = { capability: 'order.cancel', available: false, reason: 'It is delivered.' };

describe('actionReason', () => {
  it('is silent when it is possible', () =>
    expect(actionReason('order.cancel', entry, [{ ...action, available: true }])).toBeUndefined());
  it('gives the reason of this order', () =>
    expect(actionReason('order.cancel', entry, [action])).toBe('It is delivered.'));
  it('gives the reason that holds for all', () =>
    expect(actionReason('order.cancel', { ...entry, available: false, unavailable_reason: 'Closed.' }, [])).toBe(
      'Closed.',
    ));
  it('says so when the person may not', () => expect(actionReason('order.cancel', undefined, [])).toMatch(/may not/));
});

describe('arranged', () => {
  const none = Object.fromEntries(actionNames.map((name) => [name, 'No.'])) as Record<ActionName, string | undefined>;
  const possible = (...names: ActionName[]) => ({
    ...none,
    ...Object.fromEntries(names.map((name) => [name, undefined])),
  });

  it('offers the next step alone, a few others beside it, and the rest behind', () =>
    expect(
      arranged('pending', possible('order.cancel', 'order.process', 'order.changePayment', 'order.changeItems')),
    ).toMatchObject({
      next: 'order.process',
      often: ['order.changeItems', 'order.cancel'],
      seldom: ['order.changePayment'],
    }));
  it('receives what is on its way back before anything else', () =>
    expect(arranged('delivered', possible('order.deliver', 'order.receiveReturn')).next).toBe('order.receiveReturn'));
  it('has no next step where nothing is left to do', () =>
    expect(arranged('cancelled', possible('order.addNote'))).toMatchObject({
      next: undefined,
      often: ['order.addNote'],
    }));
  it('loses no action', () => {
    const { next, often, seldom, impossible } = arranged('delivered', possible('order.return', 'order.addNote'));
    expect([next, ...often, ...seldom, ...impossible].filter(Boolean).sort()).toEqual([...actionNames].sort());
  });
});
