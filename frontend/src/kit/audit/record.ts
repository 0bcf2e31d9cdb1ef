import type { Request, Response } from '../../bridge/capabilities';
import { i18n } from '../../language/i18n';
import { own } from '../../language/own';
import type { BadgeColor } from '../../ui/page/Badge';

/** One record of the journal. */
export type AuditRecord = Response<'audit.search'>['records'][number];

type AuditEvent = NonNullable<AuditRecord['events']>[number];
type Filters = Request<'audit.search'>;
export type CallerType = NonNullable<Filters['callerType']>;
export type Risk = NonNullable<Filters['sideEffect']>;
export type Outcome = 'success' | NonNullable<Filters['code']>;

/** The domains of navigation, and of answers to cards: the record of what was asked for has the answer too. */
export const navigationDomains = ['navigation', 'modal', 'theme', 'approval'];

/** Reports whether a record is navigation or the answer to a card. */
export function isNavigation({ capability = '' }: Pick<AuditRecord, 'capability'>): boolean {
  return navigationDomains.includes(capability.replace(/\..*/, ''));
}

/**
 * Whether undoing a record is offered: its capability can be taken back, it
 * changed something, and it was not taken back by another one of the trace.
 * Whether it is possible now only the application knows.
 */
export function offersUndo(record: AuditRecord, reversible: boolean, trace: readonly AuditRecord[]): boolean {
  const { status, dry_run, replayed, erased, effects = [] } = record;
  if (!reversible || status !== 'success' || dry_run || replayed || erased || effects.length === 0) return false;
  return !trace.some(({ status, facts }) => status === 'success' && facts?.undoes === record.request_id);
}

/** What is said of a record beside the title of its capability, which it may begin with: "Undo: Add to cart". */
export function besideTitle(title: string, text: string): string {
  return text.startsWith(`${title}: `) ? text.slice(title.length + 2) : text;
}

/** An event of a record in one line: what kind it is, what it is about, and its words. */
export function eventText({ type = '', domain, level, summary, message, ids = [] }: AuditEvent): string {
  const kind = own(eventKinds, type) ?? type;
  return [kind, domain ?? level, summary ?? message, ids.join(' ')].filter(Boolean).join(' · ');
}

const eventKinds = { stateChange: i18n._('Changed'), notification: i18n._('Notice') };

const callers: Record<CallerType, string> = {
  ui: i18n._('Window'),
  agent: i18n._('Assistant'),
  cli: i18n._('Command line'),
  schedule: i18n._('Timer'),
  test: i18n._('Test'),
};

/** The caller in a word. */
export function callerText(type = ''): string {
  return own(callers, type) ?? type;
}

const outcomes: Record<Exclude<Outcome, 'success'>, string> = {
  VALIDATION: i18n._('Invalid'),
  FORBIDDEN: i18n._('Refused'),
  PRECONDITION_FAILED: i18n._('Not possible'),
  CONFLICT: i18n._('Conflict'),
  NOT_FOUND: i18n._('Not found'),
  TRANSIENT: i18n._('Try later'),
  INTERNAL: i18n._('Failed'),
};

/** The outcome in a word, and its theme colour. */
export function outcomeOf(record: Pick<AuditRecord, 'status' | 'code' | 'reason' | 'replayed' | 'dry_run'>): {
  text: string;
  color: BadgeColor;
} {
  if (record.status === 'success') {
    if (record.dry_run) return { text: i18n._('Preview'), color: 'gray' };
    if (record.replayed) return { text: i18n._('Replayed'), color: 'gray' };
    return { text: i18n._('Done'), color: 'pine' };
  }
  if (record.reason === 'declined') return { text: i18n._('Declined'), color: 'gray' };
  return {
    text: own(outcomes, record.code) ?? i18n._('Failed'),
    color: record.code === 'INTERNAL' ? 'brick' : 'amber',
  };
}

/** An outcome as it is counted, in a word: success is a status, every failure a code. */
export function outcomeText(outcome: string): string {
  return outcome === 'success' ? i18n._('Done') : outcomeOf({ status: 'error', code: outcome }).text;
}

const risks: Record<Risk, string> = {
  pure: i18n._('Only reads'),
  'ui-only': i18n._('Changes data'),
  network: i18n._('Reaches outside'),
  destructive: i18n._('Cannot be taken back'),
};

/** A side effect in a few words. */
export function sideEffectText(sideEffect: string): string {
  return own(risks, sideEffect) ?? sideEffect;
}

const answers: Record<string, (who: string) => string> = {
  allow: (who) => i18n._('{who} allowed it once', { who }),
  deny: (who) => i18n._('{who} said no', { who }),
  edit: (who) => i18n._('{who} changed the values and allowed it', { who }),
  expired: (who) => i18n._('{who} did not answer in time', { who }),
  stopped: (who) => i18n._('{who} stopped it', { who }),
  nobody: (who) => i18n._('{who} could not be asked', { who }),
};

/** How the call was authorised, in a sentence; undefined when no approval was needed. */
export function decisionText(decision: AuditRecord['decision']): string | undefined {
  if (!decision) return undefined;
  if (decision.answer) {
    const who = decision.by && decision.answer !== 'nobody' ? decision.by : i18n._('The person');
    const words = decision.reason ? `: “${decision.reason}”` : '';
    const proof = decision.authentication === 'pin' ? i18n._(', by PIN at the card') : '';
    const answered = own(answers, decision.answer)?.(who) ?? `${who} ${decision.answer}`;
    return `${answered}${proof}${words}.`;
  }
  const rule = decision.by && decision.by !== 'access' ? ` (${decision.by})` : ''; // access is the capability's own
  if (decision.rule === 'allowed') return `${i18n._('Allowed without asking')}${rule}.`;
  if (decision.rule === 'forbidden') return `${i18n._('Forbidden')}${rule}.`;
  return decision.rule ? `${decision.rule}${rule}` : undefined;
}
