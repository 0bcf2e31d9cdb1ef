import type { Response } from '../../../bridge/capabilities';
import type { Money } from '../../../bridge/wire';
import { formatMoney } from '../../../language/format';
import { i18n } from '../../../language/i18n';

/** A grant as it is listed. */
export type Grant = Response<'grant.list'>['grants'][number];

/** How much of it is used. */
export function usedText({ used, spent, limits }: Grant): string {
  return [oftenText(used, limits?.uses), ...(limits?.budget ? [spentText(spent, limits.budget)] : [])].join(', ');
}

function oftenText(used: number, most: number | undefined): string {
  if (used === 0) return i18n._('Not used yet');
  if (most === undefined) return i18n._('{used, plural, one {Used once} other {Used # times}}', { used });
  return i18n._('{used, plural, one {Used once of {most}} other {Used # times of {most}}}', { used, most });
}

function spentText(spent: number, budget: Money): string {
  const words = { spent: formatMoney({ ...budget, amount: spent }), budget: formatMoney(budget) };
  return i18n._('{spent} of {budget}', words);
}

/** The grantee: the assistant and, if the grant is bound to one, the person who may ask it. */
export function granteeText({ grantee }: Grant, nameOf: (id: string) => string | undefined): string {
  const { endpoint, model, person } = grantee;
  const name = person && (nameOf(person) ?? person);
  if (endpoint === 'built-in') {
    return name ? i18n._('the built-in assistant when {name} asks', { name }) : i18n._('the built-in assistant');
  }
  return name
    ? i18n._('{model} at {endpoint} when {name} asks', { model, endpoint, name })
    : i18n._('{model} at {endpoint}', { model, endpoint });
}

/** The end of a grant that no longer holds, in words. */
export function endedText({ status, inoperative }: Grant): string | undefined {
  if (inoperative) return i18n._('cannot be used any more');
  return { active: undefined, revoked: i18n._('revoked'), expired: i18n._('over') }[status];
}
