import type { Response } from '../../bus/client';
import { boundsOf } from '../../ui/bounds';
import { formatMinute, formatMoney, humanize } from '../../ui/format';
import { readable } from '../../ui/readable';

/** A grant as it is listed. */
export type Grant = Response<'grant.list'>['grants'][number];

/** What a grant allows, bound by bound, in words. */
export function termsText(grant: Grant, names: Readonly<Record<string, string>>): string[] {
  const { each, only, rest, currency } = boundsOf(grant);
  const { budget, uses, conversation } = grant.limits ?? {};
  const lines = only.map(({ key, value }) => `${labelOf(key)}: ${names[String(value)] ?? readable(value)}`);
  for (const [key, value] of Object.entries(rest)) lines.push(`${labelOf(key)}: ${readable(value)}`);
  if (each !== undefined && currency) lines.push(`Each at most ${formatMoney({ amount: each, currency })}`);
  if (uses !== undefined) lines.push(uses === 1 ? 'Once' : `${uses.toLocaleString()} times`);
  if (budget) lines.push(`${formatMoney(budget)} in all`);
  if (conversation) lines.push('Only in one conversation');
  lines.push(grant.until === undefined ? 'Without an end' : `Until ${formatMinute(grant.until)}`);
  return lines;
}

/** How much of it is used. */
export function usedText({ used, spent, limits }: Grant): string {
  const often = used === 0 ? 'Not used yet' : used === 1 ? 'Used once' : `Used ${used.toLocaleString()} times`;
  const left = limits?.uses === undefined ? '' : ` of ${limits.uses.toLocaleString()}`;
  const money = limits?.budget
    ? `, ${formatMoney({ ...limits.budget, amount: spent })} of ${formatMoney(limits.budget)}`
    : '';
  return `${often}${used === 0 ? '' : left}${money}`;
}

/** What became of it, where it does not hold any more. */
export function endedText({ status, inoperative }: Grant): string | undefined {
  if (inoperative) return 'cannot be used any more';
  return { active: undefined, revoked: 'revoked', expired: 'over' }[status];
}

function labelOf(key: string): string {
  return humanize(key.replace(/^\//, '').replaceAll('/', ' '));
}
