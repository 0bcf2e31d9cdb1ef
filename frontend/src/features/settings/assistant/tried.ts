import type { Response } from '../../../bridge/capabilities';
import { i18n } from '../../../language/i18n';
import { own } from '../../../language/own';
import type { BadgeColor } from '../../../ui/page/Badge';

type Tried = Response<'model.tryOut'>;
export type TriedSentence = Tried['sentences'][number];
export type TriedCall = TriedSentence['recorded'][number];

const outcomes: Record<TriedSentence['outcome'], { text: string; about: string; color: BadgeColor }> = {
  same: { text: i18n._('Same'), about: i18n._('It changed the same rows.'), color: 'done' },
  askedMore: {
    text: i18n._('Asked more'),
    about: i18n._('It asked back where something was done, and changed nothing else.'),
    color: 'gray',
  },
  different: { text: i18n._('Different'), about: i18n._('It changed other rows, or fewer.'), color: 'amber' },
  unasked: {
    text: i18n._('Unasked'),
    about: i18n._('It changed what was no part of it then, or wanted to reach outside.'),
    color: 'brick',
  },
};

/** An outcome in words, with its colour. */
export const outcomeOf = ({ outcome }: TriedSentence) => outcomes[outcome];

/** How many came to what, in one sentence. */
export function countsText({ same, askedMore, different, unasked, sentences }: Tried): string {
  return i18n._(
    '{count, plural, one {# sentence} other {# sentences}} tried: {same, number} the same, {askedMore, number} asked more, {different, number} different, {unasked, number} unasked.',
    { count: sentences.length, same, askedMore, different, unasked },
  );
}

const reasons: Record<string, string> = {
  gone: i18n._('conversation removed'),
  erased: i18n._('erased'),
  bulk: i18n._('many rows at once'),
  outside: i18n._('reached outside'),
  denied: i18n._('not allowed then'),
  stopped: i18n._('stopped then'),
  behind: i18n._('before what cannot be taken back'),
  failed: i18n._('the model failed'),
  budget: i18n._('budget used up'),
};

/** What was not tried and why; undefined when all was. */
export function skippedText({ skipped }: Pick<Tried, 'skipped'>): string | undefined {
  const parts = Object.entries(skipped).map(([why, count]) => `${own(reasons, why) ?? why} (${count})`);
  return parts.length > 0 ? i18n._('Not tried: {reasons}.', { reasons: parts.join(', ') }) : undefined;
}
