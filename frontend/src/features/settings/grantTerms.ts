import type { Response } from '../../bus/client';
import { boundsText } from '../../ui/bounds';
import { formatMoney } from '../../ui/format';

/** A grant as it is listed. */
export type Grant = Response<'grant.list'>['grants'][number];

/** What a grant allows, in one line. */
export function termsText(grant: Grant, names: Readonly<Record<string, string>>): string {
  return boundsText(grant, names)
    .map(([about, bound]) => `${about}: ${bound}`)
    .join(' · ');
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
