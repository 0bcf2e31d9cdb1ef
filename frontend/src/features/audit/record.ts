import type { Request, Response } from '../../bus/client';
import { learn, type Names } from '../../bus/names';
import { vocabulary } from '../../bus/vocabulary';
import type { Json } from '../../bus/wire';
import { namesInRows } from '../../ui/rows';

/** One record of the journal. */
export type AuditRecord = Response<'audit.search'>['records'][number];

type Filters = Request<'audit.search'>;
export type CallerType = NonNullable<Filters['callerType']>;
export type Outcome = 'success' | NonNullable<Filters['code']>;

/** Whether a record only tells where in the window somebody went. */
export function isNavigation({ capability = '' }: Pick<AuditRecord, 'capability'>): boolean {
  return /^(navigation|modal|theme)\./.test(capability);
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

/** The kinds of caller, for a filter. */
export const callerChoices = choices(callers);

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

/** The ways a record can end, for a filter. */
export const outcomeChoices = choices<Outcome>({ success: 'Done', ...outcomes });

function choices<T extends string>(labels: Record<T, string>): { value: T; label: string }[] {
  return (Object.keys(labels) as T[]).map((value) => ({ value, label: labels[value] }));
}

/** What a chosen outcome asks the search for: success is a status, every failure a code. */
export function outcomeFilter(outcome: Outcome | null): Pick<Filters, 'status' | 'code'> {
  if (!outcome) return {};
  return outcome === 'success' ? { status: 'success' } : { code: outcome };
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
    return `${who} ${answers[decision.answer] ?? decision.answer}${words}.`;
  }
  const rule = decision.by ? ` (${decision.by})` : '';
  if (decision.rule === 'allowed') return `Allowed without asking${rule}.`;
  if (decision.rule === 'forbidden') return `Forbidden${rule}.`;
  return decision.rule ? `${decision.rule}${rule}` : undefined;
}
