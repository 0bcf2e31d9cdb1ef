import type { Response } from '../../bridge/capabilities';
import { i18n } from '../../language/i18n';

/** What a rule or a grant would have done to the recorded cards. */
export type Trial = Omit<Response<'policy.tryOut'>, 'from' | 'to'>;

/** The cards of a trial in one sentence: how many, how many spared, and whether what was denied is among them. */
export function cardsText({ cards, spared, denied, deniedSpared }: Trial): string {
  if (cards === 0) return i18n._('In the last four weeks no card was asked for this.');
  const counts = { cards, spared, denied, let: deniedSpared.length };
  if (denied === 0)
    return i18n._('In the last four weeks: {cards, plural, one {one card} other {# cards}}, {spared} spared.', counts);
  if (counts.let > 0)
    return i18n._(
      'In the last four weeks: {cards, plural, one {one card} other {# cards}}, {spared} spared, and {let} of the {denied} denied let through.',
      counts,
    );
  return i18n._(
    'In the last four weeks: {cards, plural, one {one card} other {# cards}}, {spared} spared, none of the {denied} denied.',
    counts,
  );
}

/** Besides: what it would not have spared and why, and what a rule would have changed for other calls. */
export function besidesText(trial: Trial): string {
  const say = (count: number, words: (values: { count: number }) => string) => (count > 0 ? [words({ count })] : []);
  return [
    ...say(trial.askFirst, (of) =>
      i18n._(
        '{count} of the spared in conversations that ask first: there it counts once you choose “Within my grants”.',
        of,
      ),
    ),
    ...say(trial.tainted, (of) => i18n._('{count} asked all the same: it had read text of others.', of)),
    ...say(trial.approver, (of) => i18n._('{count} asked all the same: they took another person’s right.', of)),
    ...say(trial.usedUp, (of) => i18n._('{count} more after its uses or its sum were over.', of)),
    ...say(trial.edited, (of) => i18n._('{count} not counted: the values were changed first.', of)),
    ...say(trial.askedMore, (of) => i18n._('{count} more would have been asked.', of)),
    ...say(trial.refused, (of) => i18n._('{count} would have been refused.', of)),
    ...say(trial.skipped, (of) => i18n._('{count} cannot be told any more: erased.', of)),
  ].join(' ');
}
