import { useState } from 'react';
import { useInvoke } from '../../bus/hooks';
import { FormDialog } from '../../ui/FormDialog';
import { PinInput } from '../../ui/PinInput';

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
      <PinInput first label="New PIN" description="Four to twelve digits" value={pin} onChange={setPin} />
      <PinInput label="Once more" value={again} onChange={setAgain} />
    </FormDialog>
  );
}
