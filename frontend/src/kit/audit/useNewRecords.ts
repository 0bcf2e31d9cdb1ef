import { useEffect } from 'react';
import type { Request } from '../../bridge/capabilities';
import { i18n } from '../../language/i18n';
import { useCapability } from '../../queries/useCapability';
import type { AuditRecord } from './record';

const LIMIT = 100;

interface List {
  /** The first record of the list, if it has any. */
  first: Pick<AuditRecord, 'seq' | 'time'> | undefined;
  /** Whether its beginning is in view, so that reading it again moves nothing that a person reads. */
  top: boolean;
  /** Whether it was read, and is not being read again. */
  settled: boolean;
  restart: () => void;
}

/**
 * The records that were written since a list was read and that match the list's filters. If the beginning of the list
 * is in view, it reads the list again instead; further down it leaves the list as it is, because a person reads there.
 */
export function useNewRecords(
  asked: Request<'audit.search'>,
  { first, top, settled, restart }: List,
): readonly AuditRecord[] {
  const { data, isPlaceholderData } = useCapability(
    'audit.search',
    { ...asked, since: first?.time ?? asked.since, limit: LIMIT },
    { source: 'AuditNews', enabled: settled },
  );
  const after = first?.seq ?? 0;
  const written = isPlaceholderData ? [] : (data?.records ?? []).filter(({ seq }) => seq > after);
  const shouldRestart = top && settled && written.length > 0;
  useEffect(() => {
    if (shouldRestart) restart();
  });
  return top ? [] : written;
}

/** The number of new records, in words. */
export function newsText(count: number): string {
  if (count >= LIMIT) return i18n._('{count, number} or more new records', { count: LIMIT });
  return i18n._('{count, plural, one {# new record} other {# new records}}', { count });
}
