import { useEffect } from 'react';
import type { Request } from '../../bridge/capabilities';
import { i18n } from '../../language/i18n';
import { useCapability } from '../../queries/useCapability';
import type { AuditRecord } from './record';

const LIMIT = 100;

interface List {
  /** The newest record in the list; undefined if it is empty. */
  first: Pick<AuditRecord, 'seq' | 'time'> | undefined;
  /** Whether the top of the list is visible. Then a restart moves nothing on the screen. */
  top: boolean;
  /** Whether the list is loaded and not loading. */
  settled: boolean;
  restart: () => void;
}

/**
 * Finds records that match the filters and are newer than the list. With the top of the list visible it restarts the
 * list and returns none. Otherwise it returns them and leaves the list as it is.
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
