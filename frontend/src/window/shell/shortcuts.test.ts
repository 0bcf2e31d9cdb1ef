// @vitest-environment jsdom
import { describe, expect, it } from 'vitest';
import type { ManifestEntry } from '../../bridge/manifest';
import { mayAct, reactionTo } from './shortcuts';

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

describe('mayAct', () => {
  const input = document.createElement('input');
  it('lets a function key through while something is typed', () => expect(mayAct('F6', input)).toBe(true));
  it('leaves letters to what is typed', () => expect(mayAct('b', input)).toBe(false));
  it('takes letters at a box, which is not typed into', () =>
    expect(mayAct('b', Object.assign(document.createElement('input'), { type: 'checkbox' }))).toBe(true));
  it('takes letters elsewhere', () => expect(mayAct('b', document.body)).toBe(true));
});
