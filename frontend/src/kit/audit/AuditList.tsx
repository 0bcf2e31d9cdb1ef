import { Button, Text } from '@mantine/core';
import { useCallback, useMemo, useState } from 'react';
import { useLongList } from '../../asking/useLongList';
import { useManifest } from '../../asking/useManifest';
import { formatMoment } from '../../language/format';
import { i18n } from '../../language/i18n';
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

/** The journal, newest first. */
export function AuditList({ narrowing, onOpen }: AuditListProps) {
  const { filters, asked, navigation, setNavigation, clear } = narrowing;
  const capabilities = useManifest()?.capabilities;
  const titles = useMemo(() => new Map(capabilities?.map(({ name, title }) => [name, title])), [capabilities]);

  const { list, key, fresh } = useLongList(
    'audit.search',
    { ...asked, limit: 100 },
    { source: 'AuditList', page: linesOf },
  );
  const [top, setTop] = useState(true);
  const [restarts, setRestarts] = useState(0);
  const settled = fresh && list.ready && !list.busy;
  const restart = useCallback(() => list.restart(), [list]);
  const came = useNewRecords(asked, { first: list.at(0), top, settled, restart }).length;

  const [opened, setOpened] = useKept<{ key: string; index: number }>('audit opened');
  const here = opened?.key === key ? opened.index : undefined;
  const choose = (index: number) => {
    const line = list.at(index);
    if (!line) return;
    setOpened({ key, index });
    onOpen(line.request_id);
  };
  const cursor = useListCursor(list, seqOf, choose, here);
  const [shown, setShown] = useState(key);
  if (shown !== key) {
    setShown(key);
    cursor.reset(-1);
  }
  const show = useCallback((first: number, last: number) => list.show(first, last), [list]);

  const toTop = () => {
    cursor.reset(-1);
    setTop(true);
    setRestarts(restarts + 1); // a list begins at its beginning
    restart();
  };

  return (
    <>
      <FilterBar {...narrowing} list={LIST} />
      <FoundCount narrowing={narrowing} navigation={navigation} onNavigation={setNavigation} />
      {list.error && (
        <Problem message={list.error.message} hint={list.error.recoveryHint} onRetry={() => list.retry()} />
      )}
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
        {list.length === 0 && list.busy && <Loading label={i18n._('Reading the journal')} />}
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
            edition={`${key} ${restarts}`}
            from={list.place}
            autoFocus={here !== undefined}
            onChoose={choose}
            onShow={show}
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
          <Button variant="default" loading={list.busy} onClick={() => list.more()}>
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
