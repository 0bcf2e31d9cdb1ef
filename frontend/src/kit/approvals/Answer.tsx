import { Button, Group, TextInput } from '@mantine/core';
import { type ReactNode, type RefObject, useState } from 'react';
import type { ApprovalCard } from '../../door/approval';
import { i18n } from '../../language/i18n';
import { Problem } from '../../ui/page/Note';
import classes from './Approvals.module.css';
import { isOwn } from './cards';
import type { Decision } from './useDecision';
import { Vouch } from './Vouch';

interface AnswerProps {
  card: ApprovalCard;
  decide: Decision;
  deny: RefObject<HTMLButtonElement | null>;
  /** Other ways to answer. */
  children?: ReactNode;
}

/** Deny, with a reason if the person gives one, or allow once; or by the PIN of one who may. */
export function Answer({ card, decide, deny, children }: AnswerProps) {
  const [reason, setReason] = useState('');
  const denied = () => decide.mutate({ answer: 'deny', reason: reason.trim() || undefined });
  const { error, isPending, variables } = decide;
  const own = isOwn(card);
  return (
    <div className={classes.answer}>
      {card.approvers && card.needs && <Vouch needs={card.needs} approvers={card.approvers} decide={decide} />}
      {error && <Problem message={error.message} hint={error.recoveryHint} />}
      <Group gap="xs" wrap="nowrap">
        <Button
          ref={deny}
          variant="default"
          data-autofocus={(own && !card.approvers) || undefined}
          className={classes.deny}
          loading={isPending && variables.answer === 'deny'}
          disabled={isPending}
          onClick={denied}
          aria-keyshortcuts="Escape"
        >
          {own ? i18n._('Leave it') : i18n._('Deny')}
        </Button>
        {!own && (
          <TextInput
            className={classes.reason}
            aria-label={i18n._('Reason for denying')}
            placeholder={i18n._('Reason, if you deny')}
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
            onKeyDown={(event) => event.key === 'Enter' && denied()}
          />
        )}
        {!card.approvers && (
          <Button
            loading={isPending && variables.answer === 'allow'}
            disabled={isPending}
            onClick={() => decide.mutate({ answer: 'allow' })}
          >
            {i18n._('Allow once')}
          </Button>
        )}
      </Group>
      {children}
    </div>
  );
}
