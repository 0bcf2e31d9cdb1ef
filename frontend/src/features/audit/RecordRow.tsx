import { Badge, Text } from '@mantine/core';
import { failureText } from '../../bus/violations';
import { formatTime } from '../../ui/format';
import classes from './Audit.module.css';
import { Marked } from './Marked';
import { type AuditRecord, callerText, outcomeOf } from './record';

interface RecordRowProps {
  record: AuditRecord;
  title: string | undefined;
  person: string | undefined;
  /** What is searched for, to be marked. */
  search: string | undefined;
}

/** One record in the list: who, what, how it ended, for whom and when. */
export function RecordRow({ record, title, person, search }: RecordRowProps) {
  const outcome = outcomeOf(record);
  return (
    <div className={classes.row}>
      <Text size="xs" c="dimmed" truncate>
        {callerText(record.caller.type)}
      </Text>
      <Text truncate>
        <Text span fw={500}>
          <Marked text={title ?? record.capability ?? ''} search={search} />
        </Text>{' '}
        <Text span size="xs" c="dimmed">
          <Marked text={record.summary ?? failureText(record).message ?? ''} search={search} />
        </Text>
      </Text>
      <span>
        <Badge color={outcome.color}>{outcome.text}</Badge>
      </span>
      <Text size="xs" c="dimmed" truncate>
        {person}
      </Text>
      <Text size="xs" c="dimmed" ta="right" truncate>
        {formatTime(record.time)}
      </Text>
    </div>
  );
}
