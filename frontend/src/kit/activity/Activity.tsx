import { Button, Indicator, Popover, Progress, Text } from '@mantine/core';
import { IconBell } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { i18n } from '../../language/i18n';
import { useClient } from '../../queries/BusProvider';
import { IconAction } from '../../ui/form/IconAction';
import { useCards } from '../approvals/useCards';
import classes from './Activity.module.css';
import { AnsweredQuestions } from './AnsweredQuestions';
import { RecentCalls } from './RecentCalls';
import { type Running, runningAfter } from './running';

interface ActivityProps {
  onOpenTrace: (requestId: string) => void;
  /** Goes to the questions that wait. */
  onAnswer: () => void;
}

/** The bell: running tasks, open questions and the latest actions. It has no state of its own. */
export function Activity({ onOpenTrace, onAnswer }: ActivityProps) {
  const client = useClient();
  const [open, setOpen] = useState(false);
  const [running, setRunning] = useState<readonly Running[]>([]);
  const waiting = useCards();
  useEffect(() => client.on('bus', (event) => setRunning((before) => runningAfter(before, event))), [client]);
  const busy = running.length + waiting.length;
  const leave = (to: () => void) => () => {
    setOpen(false);
    to();
  };
  return (
    <Popover
      opened={open}
      onChange={setOpen}
      position="bottom-end"
      width={360}
      shadow="md"
      trapFocus
      returnFocus
      withRoles={false}
    >
      <Popover.Target>
        <Indicator disabled={busy === 0} label={busy} size={15} offset={4} color="brick">
          <IconAction
            label={
              busy === 0
                ? i18n._('Activity')
                : i18n._('Activity: {busy, plural, one {# thing is under way} other {# things are under way}}', {
                    busy,
                  })
            }
            onClick={() => setOpen(!open)}
          >
            <IconBell size={17} aria-hidden />
          </IconAction>
        </Indicator>
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-label={i18n._('Activity')} className={classes.list}>
        {waiting.length > 0 && (
          <div className={classes.part}>
            <Text size="sm" fw={600}>
              {i18n._('{count, plural, one {# question waits} other {# questions wait}} for your answer', {
                count: waiting.length,
              })}
            </Text>
            <Button size="compact-sm" variant="default" onClick={leave(onAnswer)}>
              {i18n._('Go there')}
            </Button>
          </div>
        )}
        {running.map(({ id, percent = 0, message }) => (
          <div key={id} className={classes.part}>
            <Text size="sm">{message ?? i18n._('Something is being done')}</Text>
            <Progress value={percent} className={classes.bar} aria-label={message ?? i18n._('Progress')} />
            <Button size="compact-sm" variant="default" onClick={() => client.cancel(id)}>
              {i18n._('Cancel')}
            </Button>
          </div>
        ))}
        {open && <AnsweredQuestions onOpenTrace={(id) => leave(() => onOpenTrace(id))()} />}
        {open && <RecentCalls onOpenTrace={(id) => leave(() => onOpenTrace(id))()} />}
      </Popover.Dropdown>
    </Popover>
  );
}
