import { afterEach, describe, expect, it } from 'vitest';
import { setTimeZone } from '../../language/dates';
import { answersIn, firstDay, reportLines, share } from './reportLines';

const trust = {
  ...{ turns: 1, calls: 20, risky: 4, asked: 6, allowed: 3, edited: 1, declined: 1, expired: 1, nobody: 0, grants: 2 },
  ...{ medianToDecideMs: 1500, byCapability: [] },
};

describe('firstDay', () => {
  const now = Date.UTC(2026, 2, 2, 23, 59);
  afterEach(() => setTimeZone(undefined));
  it.each([
    ['Pacific/Auckland', '2026-02-25'],
    ['UTC', '2026-02-24'],
    ['America/Denver', '2026-02-24'],
  ])('counts from today in %s', (zone, day) => {
    setTimeZone(zone);
    expect(firstDay(7, now)).toBe(day);
  });
  it('counts a day of 23 hours', () => {
    setTimeZone('Europe/Berlin');
    expect(firstDay(30, Date.UTC(2026, 2, 29, 22, 30))).toBe('2026-03-01');
  });
  it('counts today', () => expect(firstDay(7, now)).toBe('2026-02-24'));
  it('goes over the month', () => expect(firstDay(30, now)).toBe('2026-02-01'));
  it('is none for everything', () => expect(firstDay(0, now)).toBeUndefined());
});

describe('reportLines', () => {
  it('adds up what failed', () => {
    const line = { capability: 'cart.addItem', caller: 'agent', calls: 9, p50Ms: 2, p95Ms: 8 };
    const capabilities = [{ ...line, failures: { CONFLICT: 1, VALIDATION: 2 } }, line];
    expect(reportLines({ from: 0, capabilities, trust }).map(({ failed }) => failed)).toEqual([3, 0]);
  });
});

describe('answersIn', () => {
  it('is every answer, also what was never given', () =>
    expect(answersIn({ ...trust, declined: 0 }).map(({ count }) => count)).toEqual([3, 1, 0, 1]));
  it('tells when nobody was there', () =>
    expect(answersIn({ ...trust, nobody: 2 }).at(-1)).toMatchObject({ label: 'Nobody there to ask', count: 2 }));
});

describe('share', () => {
  it('is in percent', () => expect(share(1, 3)).toBe(33));
  it('is nothing of nothing', () => expect(share(0, 0)).toBe(0));
});
