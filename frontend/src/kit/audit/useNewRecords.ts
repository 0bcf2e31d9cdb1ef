import { useEffect } from 'react';
import type { Request } from '../../bridge/capabilities';
import { i18n } from '../../language/i18n';
import { useCapability } from '../../queries/useCapability';
import type { AuditRecord } from './record';

const MOST = 100;

interface List {
  /** The first record of the list, if it has any. */
  first: Pick<AuditRecord, 'seq' | 'time'> | undefined;
  /** Whether its beginning is in view, so that it can be read again without moving anything away. */
  top: boolean;
  /** Whether it was read, and is not being read now. */
  settled: boolean;
  restart: () => void;
}

/**
 * The records that came since a list was read, of those it asks for: what it does not
 * show is no news to it. At its beginning the list is read again by itself; further
 * down it is left alone, for a person is reading it.
 */
export function useNewRecords(
  asked: Request<'audit.search'>,
  { first, top, settled, restart }: List,
): readonly AuditRecord[] {
  const { data, isPlaceholderData } = useCapability(
    'audit.search',
    { ...asked, since: first?.time ?? asked.since, limit: MOST },
    { source: 'AuditNews', enabled: settled },
  );
  const after = first?.seq ?? 0;
  const came = isPlaceholderData ? [] : (data?.records ?? []).filter(({ seq }) => seq > after);
  const due = top && settled && came.length > 0;
  useEffect(() => {
    if (due) restart();
  });
  return top ? [] : came;
}

/** The number of new records, in words. */
export function newsText(came: number): string {
  if (came >= MOST) return i18n._('{count, number} or more new records', { count: MOST });
  return i18n._('{count, plural, one {# new record} other {# new records}}', { count: came });
}
