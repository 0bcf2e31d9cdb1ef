import { describe, expect, it } from 'vitest';
import type { ManifestEntry } from '../../../bridge/manifest';
import { choicesFor, grantableIn, isForPeople, rulable, ruleFor, withRule } from './rules';

const entry = (name: string, more: Partial<ManifestEntry> = {}): ManifestEntry => ({
  ...{ name, title: name, side_effect: 'ui-only', available: true },
  ...more,
});

describe('withRule', () => {
  const rules = [
    { capability: 'a', rule: 'forbidden' as const },
    { class: 'network' as const, rule: 'forbidden' as const },
  ];
  it('takes the place of the one there was', () =>
    expect(ruleFor(withRule(rules, { capability: 'a' }, 'allowed'), { capability: 'a' })).toBe('allowed'));
  it('leaves the others', () => expect(withRule(rules, { capability: 'a' }, undefined)).toEqual([rules[1]]));
  it('adds one for a class', () =>
    expect(withRule([], { class: 'pure' }, 'forbidden')).toEqual([{ class: 'pure', rule: 'forbidden' }]));
});

it('lets no rule allow what cannot be taken back', () => {
  expect(choicesFor('destructive')).not.toContain('allowed');
  expect(choicesFor('ui-only')).toContain('allowed');
});

it('finds capabilities by what they are called and what they do', () => {
  const all = [entry('b', { description: 'Sends a mail.' }), entry('a')];
  expect(rulable(all, ' MAIL').map(({ name }) => name)).toEqual(['b']);
  expect(rulable(all, '').map(({ name }) => name)).toEqual(['a', 'b']);
  expect(isForPeople(entry('c', { access: { agent: 'forbidden' } }))).toBe(true);
});

it('offers grants for what would be asked, but not for what always is', () => {
  const all = [
    entry('looks', { side_effect: 'pure' }),
    entry('prices', { access: { agent: 'confirmation_required' } }),
    entry('mails', { side_effect: 'network' }),
    entry('cancels', { side_effect: 'destructive', grantable: ['amount'] }),
    entry('erases', { side_effect: 'destructive' }),
    entry('plan.propose', { access: { agent: 'confirmation_required' }, composite: true }),
    entry('asks', { agent_only: true, access: { agent: 'confirmation_required' } }),
    entry('staff', { access: { agent: 'forbidden' } }),
  ];
  expect(grantableIn(all).map(({ name }) => name)).toEqual(['cancels', 'mails', 'prices']);
});
