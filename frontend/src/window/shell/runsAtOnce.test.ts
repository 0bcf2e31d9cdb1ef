import { expect, it } from 'vitest';
import type { ManifestEntry } from '../../bridge/manifest';
import { runsAtOnce } from './useShortcuts';

const entry = (more: Partial<ManifestEntry>): ManifestEntry => ({
  ...{ name: 'x.y', title: 'X', side_effect: 'ui-only', available: true },
  ...more,
});
const taking = { type: 'object', properties: { label: { type: 'string' } } };

it('what takes nothing runs', () => expect(runsAtOnce(entry({ input_schema: { type: 'object' } }))).toBe(true));
it('what takes arguments has a form', () => expect(runsAtOnce(entry({ input_schema: taking }))).toBe(false));
it('what cannot be taken back has a form', () => expect(runsAtOnce(entry({ side_effect: 'destructive' }))).toBe(false));
