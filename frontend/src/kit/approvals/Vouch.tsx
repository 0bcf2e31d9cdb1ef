import { Radio, Text } from '@mantine/core';
import { type FormEvent, useId, useState } from 'react';
import type { Approver } from '../../door/approval';
import { i18n } from '../../language/i18n';
import { ActionButton } from '../../ui/form/ActionButton';
import { PinInput } from '../../ui/form/PinInput';
import { useDomain } from '../domain';
import classes from './Approvals.module.css';
import type { Decision } from './useDecision';

interface VouchProps {
  /** Whose right it takes, such as "a manager". */
  needs: string;
  approvers: readonly Approver[];
  decide: Decision;
}

/** Who approves what the person at the desk may not, and their PIN. A wrong one is gone at once. */
export function Vouch({ needs, approvers, decide }: VouchProps) {
  const [chosen, setChosen] = useState(approvers.length === 1 ? approvers[0]?.id : undefined);
  const [pin, setPin] = useState('');
  const heading = useId();
  const { roleText } = useDomain();
  const who = approvers.find(({ id }) => id === chosen);
  const { error, isPending } = decide;
  const missing = !who
    ? i18n._('Say who approves it.')
    : pin === ''
      ? i18n._('Type the PIN of {name}.', { name: who.name })
      : undefined;
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (who && missing === undefined && !isPending) decide.mutate({ answer: 'allow', approver: who.id, pin });
  };
  return (
    <form className={classes.vouch} onSubmit={send} aria-labelledby={heading}>
      <Text id={heading} fw={600}>
        {i18n._('Needs {needs}: who approves?', { needs })}
      </Text>
      <Radio.Group aria-labelledby={heading} value={chosen ?? null} onChange={setChosen} className={classes.approvers}>
        {approvers.map(({ id, name, role }) => (
          <Radio key={id} size="xs" value={id} label={role ? `${name}, ${roleText(role)}` : name} />
        ))}
      </Radio.Group>
      <div className={classes.pin}>
        <PinInput
          first
          label={who ? i18n._('PIN of {name}', { name: who.name }) : i18n._('PIN')}
          value={pin}
          onChange={setPin}
          refused={error}
        />
        <ActionButton type="submit" loading={isPending && decide.variables.answer === 'allow'} disabledReason={missing}>
          {i18n._('Approve once')}
        </ActionButton>
      </div>
    </form>
  );
}
