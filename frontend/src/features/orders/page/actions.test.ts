import { describe, expect, it } from 'vitest';
import type { ManifestEntry } from '../../../door/manifest';
import { type ActionName, actionNames, actionReason, likeliest } from './actions';

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

describe('likeliest', () => {
  const none = Object.fromEntries(actionNames.map((name) => [name, 'No.'])) as Record<ActionName, string | undefined>;
  it('is what brings the order on', () =>
    expect(likeliest({ ...none, 'order.cancel': undefined, 'order.process': undefined })).toBe('order.process'));
  it('is to receive what is on its way back, before anything else', () =>
    expect(likeliest({ ...none, 'order.deliver': undefined, 'order.receiveReturn': undefined })).toBe(
      'order.receiveReturn',
    ));
  it('is nothing where nothing is left to do', () => expect(likeliest(none)).toBeUndefined());
});
