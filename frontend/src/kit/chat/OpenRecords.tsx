import { CloseButton } from '@mantine/core';
import { IconEye } from '@tabler/icons-react';
import { useEffect } from 'react';
import { i18n } from '../../language/i18n';
import { type AgentContext, openPages, useOpenIds } from '../../ui/window/useAgentContext';
import { useDraft } from '../../ui/window/useKept';
import { RecordLink } from '../RecordLink';
import { useRecordsOfAnyKind } from '../records';
import classes from './Chat.module.css';

const none: readonly string[] = [];

/**
 * What the assistant is told is open. A record that the person took away is left out for as long as it stays open.
 */
export function useOpenRecords() {
  const ids = useOpenIds();
  const [hidden = none, setHidden] = useDraft<readonly string[]>('hidden records');
  const left = hidden.filter((id) => ids.includes(id));
  useEffect(() => {
    if (left.length < hidden.length) setHidden(left);
  }, [left, hidden, setHidden]);
  const records = useRecordsOfAnyKind(ids).filter(({ id }) => !left.includes(id));
  const pages = (): AgentContext[] =>
    openPages().map((page) => ({ ...page, ids: page.ids?.filter((id) => !left.includes(id)) }));
  return { records, pages, hide: (id: string) => setHidden([...left, id]) };
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
        <li key={record.id} className={classes.openRecord}>
          <IconEye size={14} aria-hidden />
          <span className={classes.openName}>
            <RecordLink record={record}>{record.name}</RecordLink>
          </span>
          <CloseButton
            size="sm"
            aria-label={i18n._('Do not tell the assistant of {name}', { name: record.name })}
            onClick={() => {
              hide(record.id);
              onHidden();
            }}
          />
        </li>
      ))}
    </ul>
  );
}
