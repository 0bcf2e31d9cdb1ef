import { PasswordInput } from '@mantine/core';
import { useState } from 'react';
import { useInvoke } from '../../bus/hooks';
import { FormDialog } from '../../ui/FormDialog';

interface SetPinProps {
  person: { id: string; name: string };
  onClose: () => void;
}

/** Gives somebody a PIN, typed twice since nobody can read it again. */
export function SetPin({ person, onClose }: SetPinProps) {
  const [pin, setPin] = useState('');
  const [again, setAgain] = useState('');
  const set = useInvoke('staff.setPin', { source: 'SetPin' });
  const differs = pin === again ? undefined : 'The two are not the same.';
  return (
    <FormDialog
      title={`PIN of ${person.name}`}
      submit="Set the PIN"
      disabledReason={pin === '' ? 'Type a PIN first.' : differs}
      pending={set.isPending}
      error={set.error}
      onSubmit={() => set.mutate({ staffId: person.id, pin }, { onSuccess: onClose })}
      onClose={onClose}
    >
      <PasswordInput
        size="xs"
        data-autofocus
        label="New PIN"
        description="Four to twelve digits"
        inputMode="numeric"
        autoComplete="off"
        maxLength={12}
        visibilityToggleButtonProps={{ 'aria-label': 'Show the PIN' }}
        value={pin}
        onChange={(event) => setPin(event.currentTarget.value)}
      />
      <PasswordInput
        size="xs"
        label="Once more"
        inputMode="numeric"
        autoComplete="off"
        maxLength={12}
        visibilityToggleButtonProps={{ 'aria-label': 'Show the PIN again' }}
        value={again}
        onChange={(event) => setAgain(event.currentTarget.value)}
      />
    </FormDialog>
  );
}
