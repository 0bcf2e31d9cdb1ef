import type { Request, Response } from '../../door/capabilities';
import { dateForm } from '../../language/dates';
import { formatDays, formatMoney, locale } from '../../language/format';
import { i18n } from '../../language/i18n';

export type By = NonNullable<Request<'report.sales'>['by']>;
export type Period = NonNullable<Request<'report.sales'>['period']>;
type SalesRow = Response<'report.sales'>['rows'][number];

/** The days a report is about: a period by name, or from one day to another. */
export interface Days {
  period?: Period;
  from?: string;
  to?: string;
}

/** The request for a range of days: two dates, or a named period; a half-chosen range is ignored. */
export function daysAsked({ period, from, to }: Days): Pick<Request<'report.sales'>, 'period' | 'from' | 'to'> {
  return from && to ? { from, to } : { period: period ?? 'month' };
}

/** The periods that are offered, each with the steps that suit it. */
export const periods: readonly { value: Period; label: string; by: By }[] = [
  { value: 'week', label: i18n._('This week'), by: 'day' },
  { value: 'month', label: i18n._('This month'), by: 'day' },
  { value: 'last month', label: i18n._('Last month'), by: 'day' },
  { value: 'year', label: i18n._('This year'), by: 'month' },
  { value: 'last year', label: i18n._('Last year'), by: 'month' },
];

const monthStep: Intl.DateTimeFormatOptions = { month: 'short', year: '2-digit', timeZone: 'UTC' };
const dayStep: Intl.DateTimeFormatOptions = { day: 'numeric', month: 'short', timeZone: 'UTC' };

/** The label of a bar: the day, the first day of the week, or the month. */
export function stepLabel({ from }: Pick<SalesRow, 'from'>, by: By, inLocale = locale): string {
  return dateForm(inLocale, by === 'month' ? monthStep : dayStep).format(new Date(`${from}T00:00:00Z`));
}

/** One bar: its label, its height in minor units, and its full text. */
export interface Bar {
  step: string;
  amount: number;
  title: string;
}

/** The bars of a report. */
export function barsOf(rows: readonly SalesRow[], by: By, inLocale = locale): Bar[] {
  return rows.map((row) => ({
    step: stepLabel(row, by, inLocale),
    amount: row.totalSales.amount,
    title: takingsText(row, row),
  }));
}

/** When, how many orders and how much, in short. */
export function takingsText(
  { from, to }: Pick<SalesRow, 'from' | 'to'>,
  { orders, totalSales }: Pick<SalesRow, 'orders' | 'totalSales'>,
): string {
  return i18n._('{days}: {orders, plural, =0 {no orders} one {# order} other {# orders}}, {total} in total sales', {
    days: formatDays(from, to),
    orders,
    total: formatMoney(totalSales),
  });
}

/** How many lines a chart is given at most, beside the first. */
const LINES = 5;

/** Where the lines of a chart lie: round amounts from below the least to above the most, nothing among them. */
export function ticksOf(amounts: readonly number[]): number[] {
  const least = Math.min(0, ...amounts);
  const most = Math.max(0, ...amounts);
  const rough = (most - least) / LINES || 1;
  const power = Math.max(1, 10 ** Math.floor(Math.log10(rough)));
  const step = power * ([1, 2, 5].find((n) => n * power >= rough) ?? 10);
  const first = Math.floor(least / step);
  return Array.from({ length: Math.ceil(most / step) - first + 1 }, (_, n) => (first + n) * step);
}
