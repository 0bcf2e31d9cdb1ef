import { Anchor, Text } from '@mantine/core';
import { entry } from '../../bridge/manifest';
import { formatTime } from '../../language/format';
import { i18n } from '../../language/i18n';
import { useCapability } from '../../queries/useCapability';
import { useEntry, useManifest } from '../../queries/useManifest';
import { Loading } from '../../ui/page/Loading';
import { Empty, Problem } from '../../ui/page/Note';
import { usePersonNames } from '../domain';
import { Undo } from '../undo/Undo';
import classes from './Activity.module.css';

/** Domains that only say where in the window a person went. */
const aboutTheWindow = ['navigation', 'modal', 'theme', 'language', 'session', 'tour'];
const SHOWN = 12;

/** The latest actions of all callers, from the audit log. */
export function RecentCalls({ onOpenTrace }: { onOpenTrace: (requestId: string) => void }) {
  const manifest = useManifest();
  const enabled = useEntry('audit.search')?.available ?? false;
  const asked = { limit: SHOWN, without: aboutTheWindow };
  const { data, error, refetch } = useCapability('audit.search', asked, { source: 'Activity', enabled });
  const nameOf = usePersonNames((data?.records ?? []).map(({ caller }) => caller.person));
  if (!enabled) return <Empty title={i18n._('What was done is for others to see')} />;
  if (error) return <Problem message={error.message} hint={error.recoveryHint} onRetry={refetch} />;
  if (!data) return <Loading label={i18n._('Reading what was done')} />;
  if (data.records.length === 0) return <Empty title={i18n._('Nothing was done yet')} />;
  return (
    <>
      <Text size="sm" fw={600}>
        {i18n._('Lately')}
      </Text>
      <ul className={classes.lately} aria-label={i18n._('What was done lately')}>
        {data.records.map(({ seq, request_id, capability = '', status, time, caller }) => {
          const known = entry(manifest, capability);
          const what = known?.title ?? capability;
          const who = caller.type === 'agent' ? i18n._('Assistant') : nameOf(caller.person);
          return (
            <li key={seq}>
              <Anchor component="button" type="button" size="sm" onClick={() => onOpenTrace(request_id)}>
                {status === 'error' ? i18n._('{what}: not done', { what }) : what}
              </Anchor>
              <Text size="xs" c="dimmed">
                {[who, formatTime(time)].filter(Boolean).join(' · ')}
              </Text>
              {status === 'success' && known?.reversible && (
                <Undo source="Activity" requestId={request_id} what={what} />
              )}
            </li>
          );
        })}
      </ul>
    </>
  );
}
