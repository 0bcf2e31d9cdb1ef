import { Badge, Text } from '@mantine/core';
import { failureText } from '../../bus/violations';
import { formatTime } from '../../ui/format';
import classes from './Audit.module.css';
import { type AuditRecord, callerText, outcomeOf } from './record';

interface RecordRowProps {
  record: AuditRecord;
  title: string | undefined;
  person: string | undefined;
}

/** One record in the list: who, what, how it ended, for whom and when. */
export function RecordRow({ record, title, person }: RecordRowProps) {
  const outcome = outcomeOf(record);
  return (
    <div className={classes.row}>
      <Text size="xs" c="dimmed" truncate>
        {callerText(record.caller.type)}
      </Text>
      <Text truncate>
        <Text span fw={500}>
          {title ?? record.capability}
        </Text>{' '}
        <Text span size="xs" c="dimmed">
          {record.summary ?? failureText(record).message}
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
