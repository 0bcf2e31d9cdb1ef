import { describe, expect, it } from 'vitest';
import { boundsOf, boundsText, endsFrom, termsOf } from './bounds';

const terms = {
  constraints: {
    amount: { max: { amount: 4783, currency: 'USD' } },
    customerId: 'cus_ana',
    '/quantity': { in: [1, 2] },
  },
  limits: { uses: 5 },
  until: 1000,
};

describe('bounds', () => {
  it('come back as the terms they were', () => expect(termsOf(boundsOf(terms))).toEqual(terms));
  it('carry along what they cannot edit', () => expect(boundsOf(terms).rest).toEqual({ '/quantity': { in: [1, 2] } }));
  it('leave out what was let go', () => {
    const bounds = boundsOf(terms);
    const only = bounds.only.map((one) => ({ ...one, kept: false }));
    expect(termsOf({ ...bounds, only, each: undefined, uses: undefined, total: 10000 })).toEqual({
      constraints: { '/quantity': { in: [1, 2] } },
      limits: { budget: { amount: 10000, currency: 'USD' } },
      until: 1000,
    });
  });
  it('keep an exact amount as the most', () =>
    expect(boundsOf({ constraints: { amount: { amount: -500, currency: 'EUR' } } })).toMatchObject({
      each: 500,
      currency: 'EUR',
    }));
  it('keep a conversation', () =>
    expect(termsOf(boundsOf({ limits: { conversation: 'c' } })).limits).toEqual({ conversation: 'c' }));
});

describe('bounds by a name that every object inherits', () => {
  const constraints = JSON.parse('{"__proto__": {"in": [1]}, "constructor": "toString"}');
  it('come back as they were', () =>
    expect(JSON.stringify(termsOf(boundsOf({ constraints })).constraints)).toBe(JSON.stringify(constraints)));
  it('are said with their values', () =>
    expect(boundsText({ constraints }, false).map(([, bound]) => bound)).toEqual(['toString', expect.any(String)]));
});

describe('endsFrom', () => {
  const write = (ms: number) => String(ms);
  it('offers an hour first', () => expect(endsFrom(0, undefined, write)[0]?.label).toBe('For one hour, until 3600000'));
  it('puts the end that is set first when it is none of them', () =>
    expect(endsFrom(0, 5, write)[0]).toEqual({ value: '5', label: 'Until 5' }));
  it('does not offer an end twice', () => expect(endsFrom(0, 3_600_000, write)).toHaveLength(5));
});

describe('boundsText', () => {
  it('says every bound in words', () =>
    expect(boundsText({ ...terms, limits: { uses: 1, budget: { amount: 10000, currency: 'USD' } } })).toEqual([
      ['Customer', 'cus_ana'],
      ['Quantity', '1 or 2'],
      ['Each at most', '$47.83'],
      ['In all at most', '$100.00'],
      ['How often', 'once'],
      ['Until', expect.any(String)],
    ]));
  it('leaves out the end, which the sentence of the card has', () => expect(boundsText({}, false)).toEqual([]));
  it('says that there is no end', () => expect(boundsText({})).toEqual([['Until', 'without an end']]));
});
