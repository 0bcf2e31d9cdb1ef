import { Button, Text } from '@mantine/core';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { useManifest, usePages, useRestart } from '../../bus/hooks';
import { usePersonName } from '../../bus/people';
import { formatMoment } from '../../ui/format';
import { Loading } from '../../ui/Loading';
import { Empty, Problem } from '../../ui/Note';
import { useKept } from '../../ui/useKept';
import { useListCursor } from '../../ui/useListCursor';
import { VirtualListbox } from '../../ui/VirtualListbox';
import classes from './Audit.module.css';
import { FilterBar } from './FilterBar';
import { Found } from './Found';
import { isNarrowed } from './filters';
import { RecordRow } from './RecordRow';
import { isNavigation } from './record';
import type { useFilters } from './useFilters';
import { newsText, useNews } from './useNews';

interface AuditListProps {
  narrowing: ReturnType<typeof useFilters>;
  onOpen: (requestId: string) => void;
}

/** The journal, newest first. */
export function AuditList({ narrowing, onOpen }: AuditListProps) {
  const { filters, chosen, facets, clear } = narrowing;
  const [navigation = false, setNavigation] = useKept<boolean>('audit navigation');
  const capabilities = useManifest()?.capabilities;
  const titles = useMemo(() => new Map(capabilities?.map(({ name, title }) => [name, title])), [capabilities]);
  const personName = usePersonName();

  const all = navigation || isNavigation({ capability: filters.capability });
  const search = { ...chosen, limit: 100 };
  const pages = usePages('audit.search', search, { source: 'AuditList' });
  const found = pages.data?.pages.flatMap((page) => page.records) ?? [];
  const records = all ? found : found.filter((record) => !isNavigation(record));
  const last = pages.data?.pages.at(-1);
  const [top, setTop] = useState(true);
  const [restarts, setRestarts] = useState(0);
  const restart = useRestart('audit.search', search);
  const settled = pages.isSuccess && !pages.isFetching && !pages.isPlaceholderData;
  const news = useNews(chosen, { first: found[0], top, settled, restart });
  const came = all ? news.length : news.filter((record) => !isNavigation(record)).length;
  const choose = (index: number) => records[index] && onOpen(records[index].request_id);
  const cursor = useListCursor(records.length, choose);

  const toTop = () => {
    cursor.set(-1);
    setTop(true);
    setRestarts(restarts + 1); // a list begins at its beginning
    restart();
  };

  // A search that went far back without an end goes on only when it is told to.
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = pages;
  const goesOn = hasNextPage && !last?.searchedBack;
  const more = useCallback(() => {
    if (goesOn && !isFetchingNextPage) fetchNextPage();
  }, [goesOn, isFetchingNextPage, fetchNextPage]);
  // Of a page nothing may be left to show: then the next one is asked for at once.
  useEffect(() => {
    if (records.length === 0) more();
  }, [records.length, more]);

  return (
    <>
      <FilterBar {...narrowing} />
      <Found
        filters={filters}
        facets={facets}
        unindexed={last?.unindexed}
        navigation={all}
        onNavigation={setNavigation}
      />
      {pages.error && <Problem message={pages.error.message} hint={pages.error.recoveryHint} onRetry={pages.refetch} />}
      <div className={classes.columns} aria-hidden>
        <span>Caller</span>
        <span>What</span>
        <span>Outcome</span>
        <span>Person</span>
        <span>When</span>
      </div>
      <div className={classes.list}>
        {came > 0 && (
          <Button className={classes.news} onClick={toTop}>
            {newsText(came)}
          </Button>
        )}
        {pages.isPending && <Loading label="Reading the journal" />}
        {pages.isSuccess && records.length === 0 && !hasNextPage && (
          <Empty title="Nothing recorded here">
            {isNarrowed(filters) ? (
              <Button variant="default" onClick={clear}>
                Take the filters away
              </Button>
            ) : (
              'What is done from now on is recorded here.'
            )}
          </Empty>
        )}
        {records.length > 0 && (
          <VirtualListbox
            key={restarts}
            id="records"
            label="Records"
            items={records}
            keyOf={(record) => record.seq}
            rowHeight={38}
            cursor={cursor}
            onChoose={choose}
            onEnd={more}
            onTop={setTop}
            renderRow={(record) => (
              <RecordRow
                record={record}
                title={titles.get(record.capability ?? '')}
                person={personName(record.caller.person)}
                search={chosen.text}
              />
            )}
          />
        )}
      </div>
      {last?.searchedBack !== undefined && hasNextPage && (
        <div className={classes.further}>
          <Text size="sm">Searched back to {formatMoment(last.searchedBack)}.</Text>
          <Button variant="default" loading={isFetchingNextPage} onClick={() => fetchNextPage()}>
            Go on
          </Button>
        </div>
      )}
    </>
  );
}
