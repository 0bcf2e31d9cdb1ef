import { CloseButton } from '@mantine/core';
import { IconEye } from '@tabler/icons-react';
import { useEffect } from 'react';
import { keyOf } from '../../bridge/names';
import { i18n } from '../../language/i18n';
import { useManifest } from '../../queries/useManifest';
import type { NamedRecord } from '../../queries/useNames';
import { type AgentContext, openPages, useOpenIds } from '../../ui/window/useAgentContext';
import { useDraft } from '../../ui/window/useKept';
import { RecordLink } from '../RecordLink';
import { entityAt, useRecordsOf } from '../records';
import classes from './Chat.module.css';

const none: readonly string[] = [];

/**
 * What the assistant is told is open. A record that the person took away is left out for as long as it stays open: of
 * its kind, since a record of another one may have the same id.
 */
export function useOpenRecords() {
  const manifest = useManifest();
  const ids = useOpenIds();
  const kindAt = (step: string) => entityAt(manifest, step);
  const keyAt = (step: string, id: string) => keyOf({ entity: kindAt(step) ?? '', id });
  const [hidden = none, setHidden] = useDraft<readonly string[]>('hidden records');
  const open = ids.map(({ step, id }) => keyAt(step, id));
  const left = hidden.filter((key) => open.includes(key));
  useEffect(() => {
    if (left.length < hidden.length) setHidden(left);
  }, [left, hidden, setHidden]);
  const isLeft = (step: string, id: string) => left.includes(keyAt(step, id));
  const records = useRecordsOf(ids.flatMap(({ step, id }) => (isLeft(step, id) ? [] : [{ id, entity: kindAt(step) }])));
  const pages = (): AgentContext[] =>
    openPages().map((page) => ({ ...page, ids: page.ids?.filter((id) => !isLeft(page.step, id)) }));
  const hide = (record: NamedRecord) => {
    const those = ids.filter(({ step, id }) => id === record.id && (kindAt(step) ?? record.entity) === record.entity);
    setHidden([...left, ...those.map(({ step, id }) => keyAt(step, id))]);
  };
  return { records, pages, hide };
}

interface OpenRecordsProps extends Pick<ReturnType<typeof useOpenRecords>, 'records' | 'hide'> {
  /** Called after one was taken away: its button is gone. */
  onHidden: () => void;
}

/** The records that are open, which “this one” means: each can be taken away. */
export function OpenRecords({ records, hide, onHidden }: OpenRecordsProps) {
  if (records.length === 0) return null;
  return (
    <ul className={classes.open} aria-label={i18n._('The assistant is told that these are open')}>
      {records.map((record) => (
        <li key={keyOf(record)} className={classes.openRecord}>
          <IconEye size={14} aria-hidden />
          <span className={classes.openName}>
            <RecordLink record={record}>{record.name}</RecordLink>
          </span>
          <CloseButton
            size="sm"
            aria-label={i18n._('Do not tell the assistant of {name}', { name: record.name })}
            onClick={() => {
              hide(record);
              onHidden();
            }}
          />
        </li>
      ))}
    </ul>
  );
}
