import { Button, Group, PasswordInput } from '@mantine/core';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Problem } from '../../ui/Note';
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
  const [pin, setPin] = useState('');
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (!error) return;
    setPin('');
    field.current?.focus();
  }, [error]);
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (pin !== '' && !pending) onEnter(pin);
  };
  return (
    <form className={classes.form} onSubmit={send}>
      <PasswordInput
        ref={field}
        size="sm"
        label={`PIN of ${name}`}
        inputMode="numeric"
        autoComplete="off"
        maxLength={12}
        autoFocus
        visibilityToggleButtonProps={{ 'aria-label': 'Show the PIN' }}
        value={pin}
        onChange={(event) => setPin(event.currentTarget.value)}
      />
      {error && <Problem message={error.message} hint={error.recoveryHint} />}
      <Group justify="space-between">
        <Button variant="default" onClick={onBack}>
          Somebody else
        </Button>
        <Button type="submit" loading={pending}>
          Sign in
        </Button>
      </Group>
    </form>
  );
}
