import type { Request, Response } from '../../bus/client';
import { learn, type Names } from '../../bus/names';
import { vocabulary } from '../../bus/vocabulary';
import type { Json } from '../../bus/wire';
import { namesInRows } from '../../ui/rows';

/** One record of the journal. */
export type AuditRecord = Response<'audit.search'>['records'][number];

type Filters = Request<'audit.search'>;
export type CallerType = NonNullable<Filters['callerType']>;
export type Risk = NonNullable<Filters['sideEffect']>;
export type Outcome = 'success' | NonNullable<Filters['code']>;

/** What only tells where in the window somebody went. */
export const navigationDomains = ['navigation', 'modal', 'theme'];

/** Whether a record only tells where in the window somebody went. */
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

/** Names by id, as the answers, facts and rows of some records tell them. */
export function namesIn(records: readonly AuditRecord[]): Names {
  return records.reduce<Names>((names, { data, facts, effects = [] }) => {
    const told = learn(learn(names, data as Json), facts as Json);
    return { ...told, ...namesInRows(effects, vocabulary) };
  }, {});
}

const callers: Record<CallerType, string> = { ui: 'Window', agent: 'Assistant', cli: 'Command line', test: 'Test' };

/** Who asked, in a word. */
export function callerText(type = ''): string {
  return (callers as Record<string, string>)[type] ?? type;
}

const outcomes: Record<Exclude<Outcome, 'success'>, string> = {
  VALIDATION: 'Invalid',
  FORBIDDEN: 'Refused',
  PRECONDITION_FAILED: 'Not possible',
  CONFLICT: 'Conflict',
  NOT_FOUND: 'Not found',
  TRANSIENT: 'Try later',
  INTERNAL: 'Failed',
};

/** How it ended, in a word, and the theme colour of that. */
export function outcomeOf(record: Pick<AuditRecord, 'status' | 'code' | 'reason' | 'replayed' | 'dry_run'>) {
  if (record.status === 'success') {
    if (record.dry_run) return { text: 'Preview', color: 'gray' };
    if (record.replayed) return { text: 'Replayed', color: 'gray' };
    return { text: 'Done', color: 'pine' };
  }
  if (record.reason === 'declined') return { text: 'Declined', color: 'amber' };
  return {
    text: (outcomes as Record<string, string>)[record.code ?? ''] ?? 'Failed',
    color: record.code === 'INTERNAL' ? 'brick' : 'amber',
  };
}

/** An outcome as it is counted, in a word: success is a status, every failure a code. */
export function outcomeText(outcome: string): string {
  return outcome === 'success' ? 'Done' : outcomeOf({ status: 'error', code: outcome }).text;
}

const risks: Record<Risk, string> = {
  pure: 'Only reads',
  'ui-only': 'Changes the shop',
  network: 'Reaches outside',
  destructive: 'Cannot be taken back',
};

/** What an action does to the world, in a few words. */
export function sideEffectText(sideEffect: string): string {
  return (risks as Record<string, string>)[sideEffect] ?? sideEffect;
}

const answers: Record<string, string> = {
  allow: 'allowed it once',
  deny: 'said no',
  edit: 'changed the values and allowed it',
  expired: 'did not answer in time',
  stopped: 'stopped it',
  nobody: 'could not be asked',
};

/** How the call was authorised, in a sentence; undefined when nobody had to. */
export function decisionText(decision: AuditRecord['decision']): string | undefined {
  if (!decision) return undefined;
  if (decision.answer) {
    const who = decision.by && decision.answer !== 'nobody' ? decision.by : 'The person';
    const words = decision.reason ? `: “${decision.reason}”` : '';
    const proof = decision.authentication === 'pin' ? ', by PIN at the card' : '';
    return `${who} ${answers[decision.answer] ?? decision.answer}${proof}${words}.`;
  }
  const rule = decision.by ? ` (${decision.by})` : '';
  if (decision.rule === 'allowed') return `Allowed without asking${rule}.`;
  if (decision.rule === 'forbidden') return `Forbidden${rule}.`;
  return decision.rule ? `${decision.rule}${rule}` : undefined;
}
