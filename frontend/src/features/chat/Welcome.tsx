import { Text } from '@mantine/core';
import type { Response } from '../../bus/client';
import { leavesText } from '../../bus/leaves';
import classes from './Chat.module.css';

/** What can be said, who will answer, and what that one is told: before anything is. */
export function Welcome({ status }: { status: Response<'assistant.status'> | undefined }) {
  const fields = leavesText(status?.leaves);
  return (
    <div className={classes.welcome}>
      <Text fw={600}>Say what you want done</Text>
      <Text size="sm" c="dimmed">
        For example: “Add two bags of the Guji to Ana’s cart.” Looking things up needs no question; whatever cannot be
        taken back is shown to you first.
      </Text>
      {status?.remote && (
        <Text size="sm" mt="sm">
          {status.model} at {status.endpoint} answers. What you say and what is looked up for you leaves this computer
          {status.masked ? '; what is known of people goes as placeholders' : ''}
          {!status.masked && fields ? `: ${fields}` : ''}.
        </Text>
      )}
    </div>
  );
}
