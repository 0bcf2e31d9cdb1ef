import { formatMinute, formatMoney, humanize } from '../../language/format';
import { i18n } from '../../language/i18n';
import { putOwn } from '../../language/own';
import { readable } from '../../language/readable';

/** An amount of money in minor units. */
interface Sum {
  amount: number;
  currency: string;
}

/** The terms of a grant, as they are sent. */
export interface Terms {
  constraints?: Record<string, unknown>;
  limits?: { uses?: number; budget?: Sum; conversation?: string };
  until?: number;
}

/** One value that is fixed: only for this customer, only to this address. */
export interface Only {
  key: string;
  value: unknown;
  kept: boolean;
}

/** The terms as they are edited; amounts are minor units, undefined is no bound. */
export interface Bounds {
  each?: number;
  total?: number;
  uses?: number;
  until?: number;
  conversation?: string;
  only: readonly Only[];
  /** Constraints that are carried along as they are. */
  rest: Record<string, unknown>;
  currency?: string;
}

const isSum = (value: unknown): value is Sum =>
  typeof value === 'object' && value !== null && 'amount' in value && typeof value.amount === 'number';

/** The largest amount a constraint allows, where that is all it says. */
function largest(constraint: unknown): Sum | undefined {
  if (isSum(constraint)) return constraint;
  if (typeof constraint !== 'object' || constraint === null || !('max' in constraint)) return undefined;
  return Object.keys(constraint).length === 1 && isSum(constraint.max) ? constraint.max : undefined;
}

/** Terms, to be edited. */
export function boundsOf({ constraints = {}, limits = {}, until }: Terms, currency?: string): Bounds {
  const bounds: Bounds = { uses: limits.uses, total: limits.budget?.amount, until, only: [], rest: {} };
  const only: Only[] = [];
  const each = largest(constraints.amount);
  for (const [key, value] of Object.entries(constraints)) {
    if (key === 'amount' && each) continue;
    if (typeof value === 'object') putOwn(bounds.rest, key, value);
    else only.push({ key, value, kept: true });
  }
  return {
    ...bounds,
    ...{ only, each: each && Math.abs(each.amount), conversation: limits.conversation },
    currency: each?.currency ?? limits.budget?.currency ?? currency,
  };
}

/** Edited bounds, as terms. */
export function termsOf({ each, total, uses, until, conversation, only, rest, currency }: Bounds): Terms {
  const constraints: Record<string, unknown> = { ...rest };
  for (const { key, value, kept } of only) if (kept) putOwn(constraints, key, value);
  if (each !== undefined && currency) constraints.amount = { max: { amount: each, currency } };
  const limits: NonNullable<Terms['limits']> = {};
  if (uses !== undefined) limits.uses = uses;
  if (total !== undefined && currency) limits.budget = { amount: total, currency };
  if (conversation) limits.conversation = conversation;
  return { constraints, limits, until };
}

const HOUR = 3_600_000;

/** The durations to choose from, from short to long. */
const spans: readonly [label: (until: string) => string, ms: number][] = [
  [(until) => i18n._('For one hour, until {until}', { until }), HOUR],
  [(until) => i18n._('For eight hours, until {until}', { until }), 8 * HOUR],
  [(until) => i18n._('For a day, until {until}', { until }), 24 * HOUR],
  [(until) => i18n._('For a week, until {until}', { until }), 7 * 24 * HOUR],
  [(until) => i18n._('For 30 days, until {until}', { until }), 30 * 24 * HOUR],
];

/** Ends to choose from, the one that is set among them. */
export function endsFrom(now: number, chosen: number | undefined, write: (ms: number) => string) {
  const ends = spans.map(([label, ms]) => ({
    value: String(now + ms),
    label: label(write(now + ms)),
  }));
  if (chosen === undefined || ends.some(({ value }) => value === String(chosen))) return ends;
  return [{ value: String(chosen), label: i18n._('Until {until}', { until: write(chosen) }) }, ...ends];
}

/** The terms bound by bound: the subject, and the bound in words. Their ids are replaced by names before. */
export function boundsText(terms: Terms, end = true): [about: string, bound: string][] {
  const { each, only, rest, currency } = boundsOf(terms);
  const { budget, uses, conversation } = terms.limits ?? {};
  const lines = only.map(({ key, value }): [string, string] => [labelOf(key), readable(value)]);
  for (const [key, value] of Object.entries(rest)) lines.push([labelOf(key), restText(value)]);
  if (each !== undefined)
    lines.push([i18n._('Each at most'), currency ? formatMoney({ amount: each, currency }) : String(each)]);
  if (budget) lines.push([i18n._('In all at most'), formatMoney(budget)]);
  if (uses !== undefined)
    lines.push([i18n._('How often'), i18n._('{uses, plural, one {once} other {# times}}', { uses })]);
  if (conversation) lines.push([i18n._('Where'), i18n._('only in one conversation')]);
  if (end)
    lines.push([i18n._('Until'), terms.until === undefined ? i18n._('without an end') : formatMinute(terms.until)]);
  return lines;
}

/** A constraint in words. */
function restText(constraint: unknown): string {
  const { in: values, ...others } = constraint as { in?: unknown };
  if (!Array.isArray(values) || Object.keys(others).length > 0) return readable(constraint);
  return new Intl.ListFormat(i18n.locale, { type: 'disjunction' }).format(values.map(readable));
}

/** The terms in one line. */
export function termsText(terms: Terms): string {
  return boundsText(terms)
    .map(([about, bound]) => `${about}: ${bound}`)
    .join(' · ');
}

function labelOf(key: string): string {
  return humanize(key.replace(/^\//, '').replaceAll('/', ' '));
}
