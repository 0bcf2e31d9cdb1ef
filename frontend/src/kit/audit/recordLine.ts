import type { Response } from '../../bridge/capabilities';
import { plainText } from '../../bridge/mentions';
import { failureText } from '../../bridge/violations';
import type { AuditRecord } from './record';

/** The part of a record that the list shows: a whole record may be large, and a list may be long. */
export interface Line
  extends Pick<
    AuditRecord,
    'seq' | 'time' | 'request_id' | 'capability' | 'status' | 'code' | 'reason' | 'replayed' | 'dry_run'
  > {
  caller: string | undefined;
  person: string | undefined;
  text: string;
  /** The person's words that led to it. */
  sentence: string | undefined;
}

/** The lines of a page of records. */
export const linesOf = (answer: Response<'audit.search'>): Line[] => answer.records.map(lineOf);

function lineOf(record: AuditRecord): Line {
  const { seq, time, request_id, capability, status, code, reason, replayed, dry_run, caller } = record;
  return {
    ...{ seq, time, request_id, capability, status, code, reason, replayed, dry_run },
    caller: caller.type,
    person: caller.person,
    text: record.summary ?? failureText(record).message ?? '',
    sentence: record.triggering_message && plainText(record.triggering_message),
  };
}
