import { Checkbox, Select } from '@mantine/core';
import { useCallback, useEffect, useMemo } from 'react';
import { useManifest, usePages } from '../../bus/hooks';
import { usePersonName } from '../../bus/people';
import { Loading } from '../../ui/Loading';
import { Empty, Problem } from '../../ui/Note';
import { PageHead } from '../../ui/PageHead';
import { useKept } from '../../ui/useKept';
import { useListCursor } from '../../ui/useListCursor';
import { VirtualListbox } from '../../ui/VirtualListbox';
import classes from './Audit.module.css';
import { RecordRow } from './RecordRow';
import { type CallerType, callerChoices, isNavigation, type Outcome, outcomeChoices, outcomeFilter } from './record';
import { Verify } from './Verify';

/** The journal, newest first. */
export function AuditList({ onOpen }: { onOpen: (requestId: string) => void }) {
  const capabilities = useManifest()?.capabilities;
  const [caller = null, setCaller] = useKept<CallerType | null>('audit caller');
  const [outcome = null, setOutcome] = useKept<Outcome | null>('audit outcome');
  const [capability = null, setCapability] = useKept<string | null>('audit capability');
  const [navigation = false, setNavigation] = useKept<boolean>('audit navigation');
  const filters = {
    callerType: caller ?? undefined,
    capability: capability ?? undefined,
    ...outcomeFilter(outcome),
    limit: 100,
  };
  const pages = usePages('audit.search', filters, { source: 'AuditList' });
  const found = pages.data?.pages.flatMap((page) => page.records) ?? [];
  const records = navigation || capability ? found : found.filter((record) => !isNavigation(record));
  const titles = useMemo(() => new Map(capabilities?.map(({ name, title }) => [name, title])), [capabilities]);
  const personName = usePersonName();
  const choose = (index: number) => records[index] && onOpen(records[index].request_id);
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = pages;
  const more = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  // Of a page nothing may be left to show: then the next one is asked for at once.
  useEffect(() => {
    if (records.length === 0) more();
  }, [records.length, more]);
  const cursor = useListCursor(records.length, choose);

  return (
    <div className={classes.page}>
      <PageHead title="Audit">
        <Verify />
      </PageHead>
      <div className={classes.filters}>
        <Select
          aria-label="Caller"
          placeholder="Any caller"
          clearable
          data={callerChoices}
          value={caller}
          onChange={setCaller}
        />
        <Select
          aria-label="Outcome"
          placeholder="Any outcome"
          clearable
          data={outcomeChoices}
          value={outcome}
          onChange={setOutcome}
        />
        <Select
          aria-label="Action"
          placeholder="Any action"
          clearable
          searchable
          data={capabilities?.map(({ name, title }) => ({ value: name, label: title }))}
          value={capability}
          onChange={setCapability}
        />
        <Checkbox
          size="xs"
          label="Show navigation"
          checked={navigation}
          onChange={(event) => setNavigation(event.currentTarget.checked)}
        />
      </div>
      {pages.error && <Problem message={pages.error.message} hint={pages.error.recoveryHint} onRetry={pages.refetch} />}
      <div className={classes.columns} aria-hidden>
        <span>Caller</span>
        <span>What</span>
        <span>Outcome</span>
        <span>Person</span>
        <span>When</span>
      </div>
      <div className={classes.list}>
        {pages.isPending && <Loading label="Reading the journal" />}
        {pages.isSuccess && records.length === 0 && !hasNextPage && (
          <Empty title="Nothing recorded here">Take a filter away to see more.</Empty>
        )}
        {records.length > 0 && (
          <VirtualListbox
            id="records"
            label="Records"
            items={records}
            keyOf={(record) => record.seq}
            rowHeight={38}
            cursor={cursor}
            onChoose={choose}
            onEnd={more}
            renderRow={(record) => (
              <RecordRow
                record={record}
                title={titles.get(record.capability ?? '')}
                person={personName(record.caller.person)}
              />
            )}
          />
        )}
      </div>
    </div>
  );
}
