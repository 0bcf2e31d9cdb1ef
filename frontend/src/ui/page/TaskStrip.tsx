import { Button, CloseButton, Progress, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { i18n } from '../../language/i18n';
import classes from './TaskStrip.module.css';

interface TaskStripProps {
  running: boolean;
  /** How far it is, in per cent. */
  percent: number;
  /** Whether it was told to stop. */
  stopped?: boolean;
  error?: { message: string; recoveryHint?: string; reason?: string };
  stop: () => void;
  clear: () => void;
  /** The running task, such as "Writing the file". */
  doing: string;
  /** The text after it was stopped. */
  whenStopped: string;
  /** The result, once there is one. */
  children: ReactNode;
}

/** The progress of a task, a button to stop it, and its result. */
export function TaskStrip(props: TaskStripProps) {
  const { doing, whenStopped, children, running, stopped, percent, error, stop, clear } = props;
  if (!running && !children && !error) return null;
  return (
    <div className={classes.strip}>
      <div role="status" className={classes.said}>
        {running && (
          <Text size="sm">
            {doing}: {percent} %
          </Text>
        )}
        {!running && children}
        {error && (
          <Text size="sm">
            {error.reason === 'cancelled' ? whenStopped : [error.message, error.recoveryHint].filter(Boolean).join(' ')}
          </Text>
        )}
      </div>
      {running ? (
        <>
          <Progress className={classes.progress} value={percent} aria-label={doing} />
          <Button variant="default" onClick={stop} disabled={stopped}>
            {i18n._('Stop')}
          </Button>
        </>
      ) : (
        <CloseButton size="sm" aria-label={i18n._('Dismiss')} onClick={clear} />
      )}
    </div>
  );
}
