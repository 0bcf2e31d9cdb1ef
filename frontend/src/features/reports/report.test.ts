import { describe, expect, it } from 'vitest';
import { barsOf, daysAsked, stepLabel, takingsText, ticksOf } from './report';

describe('the days of a report', () => {
  it('are a period by name', () => expect(daysAsked({ period: 'last month' })).toEqual({ period: 'last month' }));
  it('are from one day to another, instead', () =>
    expect(daysAsked({ period: 'week', from: '2026-11-01', to: '2026-11-20' })).toEqual({
      ...{ from: '2026-11-01', to: '2026-11-20' },
    }));
  it('stay what they were while only the first day is chosen', () =>
    expect(daysAsked({ from: '2026-11-01' })).toEqual({ period: 'month' }));
});

describe('a bar', () => {
  it('stands above its day, wherever the window is', () =>
    expect(stepLabel({ from: '2026-11-20' }, 'day', 'en')).toBe('Nov 20'));
  it('stands above its month', () => expect(stepLabel({ from: '2026-11-01' }, 'month', 'en')).toBe('Nov 26'));
  it('is as high as what is left', () => {
    const money = { amount: 4729, currency: 'USD' };
    const sales = { grossSales: money, discounts: money, returns: money, netSales: money, totalSales: money };
    const row = { ...sales, from: '2026-11-20', orders: 1, period: '' };
    expect(barsOf([{ ...row, shipping: money, tax: money, title: 'A day', to: '2026-11-20' }], 'day', 'en')).toEqual([
      { step: 'Nov 20', amount: 4729, title: 'Nov 20, 2026: 1 order, $47.29 in total sales' },
    ]);
  });
});

describe('what was taken, in short', () => {
  const days = { from: '2026-11-16', to: '2026-11-22' };
  it.each([
    [0, 'no orders, $0.00 in total sales'],
    [1, '1 order, $5.00 in total sales'],
    [1200, '1,200 orders, $6,000.00 in total sales'],
  ])('of %d orders', (orders, text) =>
    expect(takingsText(days, { orders, totalSales: { amount: orders * 500, currency: 'USD' } })).toMatch(
      new RegExp(`^Nov 16\\s.\\s22, 2026: ${text.replace(/[$.]/g, '\\$&')}$`),
    ),
  );
});

describe('the lines of a chart', () => {
  it('are round, from nothing to above the most', () =>
    expect(ticksOf([120_00, 4729, 980_00])).toEqual([0, 200_00, 400_00, 600_00, 800_00, 1000_00]));
  it('go below nothing where more was given back than sold', () =>
    expect(ticksOf([-30_00, 40_00])).toEqual([-40_00, -20_00, 0, 20_00, 40_00]));
  it('are whole units of the currency', () => expect(ticksOf([2])).toEqual([0, 1, 2]));
  it('are one where nothing was sold', () => expect(ticksOf([0, 0])).toEqual([0]));
});
