import { Button, Group, TextInput } from '@mantine/core';
import { type RefObject, useState } from 'react';
import { Problem } from '../../ui/Note';
import classes from './Approvals.module.css';
import type { Decision } from './useDecision';

interface AnswerProps {
  decide: Decision;
  deny: RefObject<HTMLButtonElement | null>;
}

/** Deny, with a reason if the person gives one, or allow once. */
export function Answer({ decide, deny }: AnswerProps) {
  const [reason, setReason] = useState('');
  const denied = () => decide.mutate({ answer: 'deny', reason: reason.trim() || undefined });
  const { error, isPending, variables } = decide;
  return (
    <div className={classes.answer}>
      {error && <Problem message={error.message} hint={error.recoveryHint} />}
      <Group gap="xs" wrap="nowrap">
        <Button
          ref={deny}
          variant="default"
          className={classes.deny}
          loading={isPending && variables.answer === 'deny'}
          disabled={isPending}
          onClick={denied}
          aria-keyshortcuts="Escape"
        >
          Deny
        </Button>
        <TextInput
          className={classes.reason}
          aria-label="Reason for denying"
          placeholder="Reason, if you deny"
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
          onKeyDown={(event) => event.key === 'Enter' && denied()}
        />
        <Button
          loading={isPending && variables.answer === 'allow'}
          disabled={isPending}
          onClick={() => decide.mutate({ answer: 'allow' })}
        >
          Allow once
        </Button>
      </Group>
    </div>
  );
}
