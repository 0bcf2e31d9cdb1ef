import type { Request, Response } from '../../bridge/capabilities';
import { dateForm } from '../../language/dates';
import { formatDays, formatMoney, locale } from '../../language/format';
import { i18n } from '../../language/i18n';
import { own } from '../../language/own';
import { fulfilments, methodKinds, returnReasons } from '../../shop/vocabulary';

export type By = NonNullable<Request<'report.sales'>['by']>;
export type Compare = NonNullable<Request<'report.sales'>['compare']>;
export type Takings = Response<'report.sales'>['totals'];
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
  { value: 'today', label: i18n._('Today'), by: 'day' },
  { value: 'yesterday', label: i18n._('Yesterday'), by: 'day' },
  { value: 'week', label: i18n._('This week'), by: 'day' },
  { value: 'last week', label: i18n._('Last week'), by: 'day' },
  { value: 'month', label: i18n._('This month'), by: 'day' },
  { value: 'last month', label: i18n._('Last month'), by: 'day' },
  { value: 'year', label: i18n._('This year'), by: 'month' },
  { value: 'last year', label: i18n._('Last year'), by: 'month' },
];

/** What a row of the sales may be. */
export const groups: readonly { value: By; label: string; head: string }[] = [
  { value: 'day', label: i18n._('By day'), head: i18n._('Day') },
  { value: 'week', label: i18n._('By week'), head: i18n._('Week of') },
  { value: 'month', label: i18n._('By month'), head: i18n._('Month') },
  { value: 'person', label: i18n._('By person'), head: i18n._('Person') },
  { value: 'fulfilment', label: i18n._('By fulfilment'), head: i18n._('Fulfilment') },
  { value: 'taxRate', label: i18n._('By tax rate'), head: i18n._('Tax rate') },
];

/** Whether the rows are times, one after the other. */
export const isByTime = (by: By): boolean => by === 'day' || by === 'week' || by === 'month';

/** The times that a report is compared with. */
export const comparisons: readonly { value: Compare; label: string }[] = [
  { value: 'before', label: i18n._('With the time before') },
  { value: 'year', label: i18n._('With the year before') },
];

/** A rate of tax, or a share: 8 %, 5.5 %. */
export function rateText(ppm: number, inLocale = locale): string {
  return new Intl.NumberFormat(inLocale, { style: 'percent', maximumFractionDigits: 4 }).format(ppm / 1_000_000);
}

/** The name of a row of the sales. */
export function rowLabel(row: SalesRow, by: By): string {
  if (isByTime(by)) return stepLabel(row, by);
  if (by === 'fulfilment') return own(fulfilments, row.value) ?? row.period;
  if (by === 'taxRate') return row.value === 'shipping' ? i18n._('Shipping') : rateText(Number(row.value));
  return row.period;
}

/** The name of a reason of returns. */
export const reasonText = (reason: string): string => own(returnReasons, reason) ?? i18n._('Not said');

const methods: Readonly<Record<string, string>> = {
  ...methodKinds,
  cash: i18n._('Cash'),
  transfer: i18n._('Bank transfer'),
  paypal: 'PayPal',
  other: i18n._('Other'),
  erased: i18n._('Erased'),
};

/** The name of a kind of payment methods. */
export const methodText = (method: string): string => own(methods, method) ?? method;

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
