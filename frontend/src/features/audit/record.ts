import type { Response } from '../../bus/client';

/** One record of the journal. */
export type AuditRecord = Response<'audit.search'>['records'][number];

const callers: Record<string, string> = { ui: 'Window', agent: 'Assistant', cli: 'Command line', test: 'Test' };

/** Who asked, in a word. */
export function callerText(type: string): string {
  return callers[type] ?? type;
}

/** The kinds of caller, for a filter. */
export const callerChoices = Object.entries(callers).map(([value, label]) => ({ value, label }));

const outcomes: Record<string, string> = {
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
  return { text: outcomes[record.code ?? ''] ?? 'Failed', color: record.code === 'INTERNAL' ? 'brick' : 'amber' };
}

/** The ways a record can end, for a filter. */
export const outcomeChoices = [
  { value: 'success', label: 'Done' },
  ...Object.entries(outcomes).map(([value, label]) => ({ value, label })),
];

/** What a chosen outcome asks the search for: success is a status, every failure a code. */
export function outcomeFilter(outcome: string | null): { status?: string; code?: string } {
  if (!outcome) return {};
  return outcome === 'success' ? { status: outcome } : { code: outcome };
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
