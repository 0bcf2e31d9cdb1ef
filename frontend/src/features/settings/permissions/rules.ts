import type { Request } from '../../../bridge/capabilities';
import type { ManifestEntry, Rule, SideEffect } from '../../../bridge/manifest';
import { i18n } from '../../../language/i18n';

/** One rule of the owner's: for a capability or for a class. */
export type PolicyRule = Request<'policy.set'>['rules'][number];
type Subject = { capability: string } | { class: SideEffect };

/** The rules in words. */
export const ruleWords: Record<Rule, string> = {
  allowed: i18n._('Does it'),
  confirmation_required: i18n._('Asks first'),
  forbidden: i18n._('Never'),
};

/** The behaviour without a rule of the owner, in words. */
export function usualText(rule: Rule | undefined): string {
  const words = { allowed: i18n._('As usual: does it'), confirmation_required: i18n._('As usual: asks first') };
  if (rule === undefined) return i18n._('As usual');
  return rule === 'forbidden' ? i18n._('As usual: never') : words[rule];
}

/** The classes in words, from harmless to what cannot be undone. */
export const classWords: readonly [SideEffect, label: string, more: string][] = [
  ['pure', i18n._('Looks things up'), i18n._('Search, show, report. Nothing changes.')],
  ['ui-only', i18n._('Changes what can be put right'), i18n._('The cart, notes, pages. Some of it asks by itself.')],
  ['network', i18n._('Reaches outside'), i18n._('Mail, webhooks. What was sent was sent.')],
  ['destructive', i18n._('Cannot be taken back'), i18n._('Orders, refunds, erasing somebody.')],
];

/** The rules that can be chosen for a class: what leaves or cannot be undone is allowed by a grant alone. */
export function choicesFor(sideEffect: SideEffect): Rule[] {
  const local = sideEffect === 'pure' || sideEffect === 'ui-only';
  return local ? ['allowed', 'confirmation_required', 'forbidden'] : ['confirmation_required', 'forbidden'];
}

const isOf = (rule: PolicyRule, subject: Subject) =>
  'capability' in subject ? rule.capability === subject.capability : rule.class === subject.class;

/** The rule there is for a subject. */
export function ruleFor(rules: readonly PolicyRule[], subject: Subject): Rule | undefined {
  return rules.find((rule) => isOf(rule, subject))?.rule;
}

/** The rules with another one for a subject, or with none. */
export function withRule(rules: readonly PolicyRule[], subject: Subject, rule: Rule | undefined): PolicyRule[] {
  const others = rules.filter((known) => !isOf(known, subject));
  return rule ? [...others, { ...subject, rule }] : others;
}

/** The capabilities a rule can be made for, by title: those that people alone may use come with no choice. */
export function rulable(capabilities: readonly ManifestEntry[], search: string): ManifestEntry[] {
  const wanted = search.trim().toLowerCase();
  return capabilities
    .filter(({ title, description = '' }) => `${title} ${description}`.toLowerCase().includes(wanted))
    .sort((a, b) => a.title.localeCompare(b.title));
}

/** Whether it is for people only, regardless of the rules. */
export function isForPeople({ access }: ManifestEntry): boolean {
  return access?.agent === 'forbidden';
}

/** The grantable capabilities: those that ask, except those that must ask every time. */
export function grantableIn(capabilities: readonly ManifestEntry[]): ManifestEntry[] {
  return capabilities
    .filter(
      ({ access, side_effect, grantable = [], agent_only, composite }) =>
        !agent_only &&
        !composite &&
        access?.agent !== 'forbidden' &&
        (side_effect === 'destructive'
          ? grantable.length > 0
          : side_effect === 'network' || access?.agent === 'confirmation_required'),
    )
    .sort((a, b) => a.title.localeCompare(b.title));
}
