import { Anchor, Text } from '@mantine/core';
import AuditPage from '../../kit/audit/AuditPage';
import { formatDate } from '../../language/format';
import { i18n } from '../../language/i18n';
import { useCapability } from '../../queries/useCapability';
import { useInvoke } from '../../queries/useInvoke';
import { Segments } from '../../ui/form/Segments';
import { Select } from '../../ui/form/Select';
import { Loading } from '../../ui/page/Loading';
import { Problem } from '../../ui/page/Note';
import { PartBoundary } from '../../ui/window/PartBoundary';
import { useDraft } from '../../ui/window/useKept';
import classes from './Archive.module.css';
import { type Kept, ShopsPage } from './ShopsPage';

const source = 'ArchiveWindow';

interface View {
  page: 'shops' | 'audit';
  id?: string;
}

/** The window on an archive: all shops, and the audit page over the log of one. */
export default function ArchiveWindow() {
  const { data, error, refetch } = useCapability('archive.list', {}, { source });
  const [view = { page: 'shops' }, setView] = useDraft<View>('archive view'); // another log loads the page again
  const opening = useInvoke('archive.open', { source });
  const logs = data?.logs ?? [];
  const opened = data?.opened;
  const parts = logs.filter(({ shop }) => shop === opened?.shop);
  const shown = parts.find(({ epoch, last }) => (opened?.epoch === undefined ? last : epoch === opened.epoch));
  const refused = parts.reduce((sum, { alarms }) => sum + alarms, 0);
  const open = (log: Kept | undefined) => {
    if (!log) return;
    setView({ page: 'audit' });
    if (log !== shown) opening.mutate({ shop: log.shop, ...(!log.last && { epoch: log.epoch }) });
  };

  return (
    <div className={classes.frame}>
      <header className={classes.bar}>
        <Text fw={600}>{i18n._('Archive')}</Text>
        <Segments
          label={i18n._('View')}
          choices={[
            { value: 'shops', label: i18n._('All shops') },
            { value: 'audit', label: i18n._('One shop') },
          ]}
          value={view.page}
          onChange={(page) => setView({ page: page === 'audit' ? 'audit' : 'shops' })}
        />
        {view.page === 'audit' && (
          <>
            <Select
              aria-label={i18n._('Shop')}
              searchable
              allowDeselect={false}
              data={logs.filter(({ last }) => last).map(({ shop }) => shop)}
              value={opened?.shop ?? null}
              onChange={(shop) => open(logs.find((one) => one.shop === shop && one.last))}
            />
            {parts.length > 1 && (
              <Select
                aria-label={i18n._('Part of its log')}
                allowDeselect={false}
                data={parts.map((one) => ({ value: `${one.epoch}`, label: partText(one) }))}
                value={shown ? `${shown.epoch}` : null}
                onChange={(epoch) => open(parts.find((one) => `${one.epoch}` === epoch))}
              />
            )}
            {refused > 0 && (
              <Anchor component="button" type="button" size="sm" onClick={() => setView({ page: 'shops' })}>
                {i18n._('{count, plural, one {# record was} other {# records were}} refused', { count: refused })}
              </Anchor>
            )}
          </>
        )}
      </header>
      <main id="main" tabIndex={-1} className={classes.main}>
        {(error ?? opening.error) && (
          <Problem
            message={(error ?? opening.error)?.message ?? ''}
            hint={(error ?? opening.error)?.recoveryHint}
            onRetry={() => void refetch()}
          />
        )}
        {!data && !error && <Loading label={i18n._('Reading the archive')} />}
        <PartBoundary of={`archive ${view.page} ${view.id}`}>
          {data && (view.page === 'shops' || !opened) && (
            <ShopsPage {...{ logs, open }} onAgain={() => void refetch()} />
          )}
          {opened && view.page === 'audit' && (
            <AuditPage requestId={view.id} onGo={({ id }) => setView({ page: 'audit', id })} />
          )}
        </PartBoundary>
      </main>
    </div>
  );
}

/** A part of a log, in words: a copy that was restored begins the next one. */
function partText({ epoch, last, time }: Kept): string {
  if (last) return i18n._('{epoch, number}: goes on', { epoch });
  return i18n._('{epoch, number}: until {day}', { epoch, day: time === undefined ? '–' : formatDate(time) });
}
