import { Notification, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { entry } from '../../bridge/manifest';
import { keyOf } from '../../bridge/names';
import { i18n } from '../../language/i18n';
import { useBusEvent } from '../../queries/useBusEvent';
import { useManifest } from '../../queries/useManifest';
import { useDomain } from '../domain';
import { RecordLink } from '../RecordLink';
import { type IdOfSomeKind, useRecordsOf } from '../records';
import { Undo } from '../undo/Undo';
import classes from './Activity.module.css';
import { isOwnDeed } from './running';

const SHOWN_MS = 10_000;

/** As many records as a notice looks for the names of. */
const NAMED = 3;

interface Deed {
  requestId: string;
  title: string;
  /** The records that it changed. */
  ids: readonly IdOfSomeKind[];
}

/** A notice of the last action by hand that can be undone, with the records it is about and the undo. The next one replaces it. */
export function UndoNotices() {
  const manifest = useManifest();
  const { withoutNotice } = useDomain();
  const [deed, setDeed] = useState<Deed>();
  useBusEvent('invocation', (event) => {
    const done = entry(manifest, event.capability);
    if (event.request_id && done?.reversible && isOwnDeed(event, withoutNotice)) {
      setDeed({ requestId: event.request_id, title: done.title, ids: [] });
    }
  });
  useBusEvent('stateChange', ({ request_id, domain, ids = [] }) => {
    const changed = ids.map((id) => ({ id, domain }));
    setDeed((now) => (now && now.requestId === request_id ? { ...now, ids: [...now.ids, ...changed] } : now));
  });
  const records = useRecordsOf((deed?.ids ?? []).slice(0, NAMED));
  useEffect(() => {
    if (!deed) return;
    const gone = setTimeout(() => setDeed(undefined), SHOWN_MS);
    return () => clearTimeout(gone);
  }, [deed]);
  return (
    <section className={classes.notice} aria-live="polite" aria-label={i18n._('Just done')}>
      {deed && (
        <Notification
          key={deed.requestId}
          role="presentation"
          withBorder
          color="pine"
          title={i18n._('{what}: done.', { what: deed.title })}
          closeButtonProps={{ 'aria-label': i18n._('Close the notice') }}
          onClose={() => setDeed(undefined)}
        >
          {records.map((record) => (
            <Text key={keyOf(record)} size="sm" py={4}>
              <RecordLink record={record}>{record.name}</RecordLink>
            </Text>
          ))}
          <Undo source="Activity" requestId={deed.requestId} what={deed.title} />
        </Notification>
      )}
    </section>
  );
}
