import { describe, expect, it } from 'vitest';
import type { ManifestEntry } from '../../bridge/manifest';
import { reactionTo } from './useShortcuts';

const entry = (more: Partial<ManifestEntry>): ManifestEntry => ({
  ...{ name: 'x.y', title: 'X', side_effect: 'ui-only', available: true },
  ...more,
});
const taking = { type: 'object', properties: { label: { type: 'string' } } };

describe('reactionTo', () => {
  it('runs what takes nothing', () => expect(reactionTo(entry({ input_schema: { type: 'object' } }))).toBe('run'));
  it('asks for arguments', () => expect(reactionTo(entry({ input_schema: taking }))).toBe('form'));
  it('shows first what cannot be taken back', () =>
    expect(reactionTo(entry({ side_effect: 'destructive' }))).toBe('form'));
  it('says why it is not possible', () =>
    expect(reactionTo(entry({ available: false, unavailable_reason: 'The cart is empty.' }))).toEqual({
      refused: 'The cart is empty.',
    }));
});
