import { Button, Group } from '@mantine/core';
import type { FormEvent } from 'react';
import { i18n } from '../../language/i18n';
import { PinInput } from '../../ui/form/PinInput';
import { useForm } from '../../ui/form/useForm';
import { Problem } from '../../ui/page/Note';
import classes from './SignIn.module.css';

interface EnterPinProps {
  name: string;
  pending: boolean;
  error: { message: string; recoveryHint?: string } | null;
  onEnter: (pin: string) => void;
  onBack: () => void;
}

/** Asks for a PIN; a wrong one is gone at once, and the next can be typed. */
export function EnterPin({ name, pending, error, onEnter, onBack }: EnterPinProps) {
  const { values, change } = useForm(undefined, { pin: '' });
  const { pin } = values;
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (pin !== '' && !pending) onEnter(pin);
  };
  return (
    <form className={classes.form} onSubmit={send}>
      <PinInput
        size="sm"
        autoFocus
        label={i18n._('PIN of {name}', { name })}
        value={pin}
        onChange={(next) => change({ pin: next })}
        refused={error}
      />
      {error && <Problem message={error.message} hint={error.recoveryHint} />}
      <Group justify="space-between">
        <Button variant="default" onClick={onBack}>
          {i18n._('Somebody else')}
        </Button>
        <Button type="submit" loading={pending}>
          {i18n._('Sign in')}
        </Button>
      </Group>
    </form>
  );
}
