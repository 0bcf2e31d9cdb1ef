import type { Response } from '../../bridge/capabilities';
import { dayAt } from '../../language/dates';
import { i18n } from '../../language/i18n';

type Stats = Response<'audit.stats'>;
export type Trust = Stats['trust'];

/** For how long back the report counts; 0 is everything. */
export type Days = 7 | 30 | 0;

/** The first day of a report of the last days, today among them. */
export function firstDay(days: Days, now: number): string | undefined {
  if (days === 0) return undefined;
  const first = new Date(dayAt(now)); // a day is a date in UTC
  first.setUTCDate(first.getUTCDate() - (days - 1));
  return first.toISOString().slice(0, 10);
}

/** One line of the report: how a caller fared with a capability. */
export interface ReportLine {
  capability: string;
  caller: string;
  calls: number;
  failed: number;
  p50Ms: number;
  p95Ms: number;
}

/** The lines of the report, as they come: most called first. */
export function reportLines({ capabilities }: Stats): ReportLine[] {
  return capabilities.map(({ failures = {}, ...line }) => ({
    ...line,
    failed: Object.values(failures).reduce((sum, n) => sum + n, 0),
  }));
}

/** One answer to the assistant's questions: how often, and in which theme colour. */
export interface Answer {
  label: string;
  count: number;
  tone: 'good' | 'neutral' | 'bad';
}

/** The answers to requests for approval, the best first. */
export function answersIn({ allowed, edited, declined, expired, nobody }: Trust): Answer[] {
  const answers: Answer[] = [
    { label: i18n._('Allowed'), count: allowed, tone: 'good' },
    { label: i18n._('Edited, then allowed'), count: edited, tone: 'neutral' },
    { label: i18n._('Declined'), count: declined, tone: 'bad' },
    { label: i18n._('Expired'), count: expired, tone: 'neutral' },
  ];
  return nobody > 0 ? [...answers, { label: i18n._('Nobody there to ask'), count: nobody, tone: 'neutral' }] : answers;
}

/** A part of a whole, in percent; nothing of nothing is nothing. */
export function share(part: number, whole: number): number {
  return whole > 0 ? Math.min(100, Math.round((100 * part) / whole)) : 0;
}
