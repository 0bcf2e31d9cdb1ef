import { describe, expect, it } from 'vitest';
import { chosenBy, conversationOptions, type Facets, isNarrowed, navigationIn, options } from './filters';

const facets: Facets = {
  ...{ records: 15, outcomes: [], sideEffects: [], people: [], conversations: [] },
  callers: [
    { value: 'agent', records: 1200 },
    { value: '', records: 3 },
  ],
  capabilities: [
    { value: 'navigation.go', records: 4 },
    { value: 'theme.toggle', records: 2 },
    { value: 'cart.addItem', records: 9 },
  ],
};

describe('chosenBy', () => {
  it('asks for what was done', () =>
    expect(chosenBy({ outcome: 'success' })).toMatchObject({ status: 'success', code: undefined }));
  it('asks for a failure by its code', () =>
    expect(chosenBy({ outcome: 'CONFLICT' })).toMatchObject({ status: undefined, code: 'CONFLICT' }));
  it('asks for days, which begin where the application is', () =>
    expect(chosenBy({ from: '2026-11-19', until: '2026-11-20' })).toMatchObject({
      from: '2026-11-19',
      to: '2026-11-20',
    }));
});

describe('isNarrowed', () => {
  it('is not, by empty filters', () => expect(isNarrowed({ text: '', caller: undefined })).toBe(false));
  it('is, by words', () => expect(isNarrowed({ text: 'guji' })).toBe(true));
});

describe('options', () => {
  const say = (value: string) => `<${value}>`;
  it('carry their counts, and leave out records without', () =>
    expect(options(facets, 'caller', undefined, say)).toEqual([{ value: 'agent', label: '<agent> · 1,200' }]));
  it('keep what is chosen', () =>
    expect(options(facets, 'person', 'u2', say)).toEqual([{ value: 'u2', label: '<u2> · 0' }]));
  it('name what is chosen before anything is counted', () =>
    expect(options(undefined, 'person', 'u2', say)).toEqual([{ value: 'u2', label: '<u2>' }]));
});

describe('conversationOptions', () => {
  const some: Facets = { ...facets, conversations: [{ id: 'chat_1', time: 5 }] };
  const say = (time: number) => `at ${time}`;
  it('are told by when they were used', () =>
    expect(conversationOptions(some, undefined, say)).toEqual([{ value: 'chat_1', label: 'at 5' }]));
  it('keep what is chosen', () =>
    expect(conversationOptions(some, 'chat_0', say).map(({ value }) => value)).toEqual(['chat_0', 'chat_1']));
});

describe('navigationIn', () => {
  it('is what only tells where somebody went', () => expect(navigationIn(facets, {})).toBe(6));
  it('is nothing of what another action was chosen for', () =>
    expect(navigationIn(facets, { capability: 'cart.addItem' })).toBe(0));
});
