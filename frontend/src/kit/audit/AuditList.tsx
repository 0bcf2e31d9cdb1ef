import { Button, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import { formatMoment } from '../../language/format';
import { i18n } from '../../language/i18n';
import { useManifest } from '../../queries/useManifest';
import { usePages } from '../../queries/usePages';
import { head } from '../../ui/list/cells';
import { useListCursor } from '../../ui/list/useListCursor';
import { headRow, VirtualListbox } from '../../ui/list/VirtualListbox';
import { Loading } from '../../ui/page/Loading';
import { Empty, Problem } from '../../ui/page/Note';
import { useKept } from '../../ui/window/useKept';
import classes from './Audit.module.css';
import { FilterBar } from './FilterBar';
import { FoundCount } from './FoundCount';
import { isNarrowed } from './filters';
import { RecordRow } from './RecordRow';
import { type Line, linesOf } from './recordLine';
import type { useFilters } from './useFilters';
import { newsText, useNewRecords } from './useNewRecords';

const LIST = 'records';

interface AuditListProps {
  narrowing: ReturnType<typeof useFilters>;
  onOpen: (requestId: string) => void;
}

const seqOf = ({ seq }: Line) => seq;
const listing = { source: 'AuditList', rowsOf: linesOf, keyOf: seqOf, ahead: 300, held: 400, keep: true };

/** The journal, newest first. */
export function AuditList({ narrowing, onOpen }: AuditListProps) {
  const { filters, asked, navigation, setNavigation, clear } = narrowing;
  const capabilities = useManifest()?.capabilities;
  const titles = useMemo(() => new Map(capabilities?.map(({ name, title }) => [name, title])), [capabilities]);

  const { list, fresh, isPending, error, refetch } = usePages('audit.search', { ...asked, limit: 100 }, listing);
  const [top, setTop] = useState(true);
  const [restarts, setRestarts] = useState(0);
  const settled = fresh && list.ready && !list.busy;
  const came = useNewRecords(asked, { first: list.at(0), top, settled, restart: list.restart }).length;

  const [opened, setOpened] = useKept<{ list: object; index: number }>('audit opened');
  const here = opened?.list === list ? opened.index : undefined;
  const choose = (index: number) => {
    const line = list.at(index);
    if (!line) return;
    setOpened({ list, index });
    onOpen(line.request_id);
  };
  const cursor = useListCursor(list, seqOf, choose, here);
  const [shown, setShown] = useState(list);
  if (shown !== list) {
    setShown(list);
    cursor.reset(-1);
  }
  const edition = useMemo(() => ({ list, restarts }), [list, restarts]);

  const toTop = () => {
    cursor.reset(-1);
    setTop(true);
    setRestarts(restarts + 1); // a list begins at its beginning
    list.restart();
  };

  return (
    <>
      <FilterBar {...narrowing} list={LIST} />
      <FoundCount narrowing={narrowing} navigation={navigation} onNavigation={setNavigation} />
      {error && <Problem message={error.message} hint={error.recoveryHint} onRetry={refetch} />}
      <div className={classes.columns} {...headRow(LIST, list.length)}>
        <span {...head}>{i18n._('Caller')}</span>
        <span {...head}>{i18n._('What')}</span>
        <span {...head}>{i18n._('Outcome')}</span>
        <span {...head}>{i18n._('Person')}</span>
        <span {...head}>{i18n._('When')}</span>
      </div>
      <div className={classes.list}>
        {came > 0 && (
          <Button className={classes.news} onClick={toTop}>
            {newsText(came)}
          </Button>
        )}
        {list.length === 0 && (list.busy || (isPending && !error)) && <Loading label={i18n._('Reading the journal')} />}
        {list.ready && list.length === 0 && !list.goesOn && (
          <Empty title={i18n._('Nothing recorded here')}>
            {isNarrowed(filters) ? (
              <Button variant="default" onClick={clear}>
                {i18n._('Take the filters away')}
              </Button>
            ) : (
              i18n._('What is done from now on is recorded here.')
            )}
          </Empty>
        )}
        {list.length === 0 && list.stopped !== undefined && <Empty title={i18n._('Nothing found so far')} />}
        {list.length > 0 && (
          <VirtualListbox
            id={LIST}
            label={i18n._('Records')}
            heads="above"
            items={list}
            keyOf={seqOf}
            rowHeight={38}
            cursor={cursor}
            edition={edition}
            from={list.place}
            autoFocus={here !== undefined}
            onChoose={choose}
            onShow={list.show}
            onTop={setTop}
            renderRow={(line) => (
              <RecordRow line={line} title={titles.get(line.capability ?? '')} search={asked.text} />
            )}
          />
        )}
      </div>
      {list.stopped !== undefined && (
        <div className={classes.further}>
          <Text size="sm" role="status">
            {i18n._('Searched back to {moment}.', { moment: formatMoment(list.stopped) })}
          </Text>
          <Button variant="default" loading={list.busy} onClick={list.more}>
            {i18n._('Go on')}
          </Button>
        </div>
      )}
      {list.full && (
        <div className={classes.further}>
          <Text size="sm">
            {i18n._('These are the newest {count, number} records. Older ones are found by their day.', {
              count: list.length,
            })}
          </Text>
        </div>
      )}
    </>
  );
}
