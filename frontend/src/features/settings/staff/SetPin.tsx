import { Text } from '@mantine/core';
import { i18n } from '../../../language/i18n';
import { useInvoke } from '../../../queries/useInvoke';
import { ErrorAt } from '../../../ui/form/FieldErrors';
import { FormDialog } from '../../../ui/form/FormDialog';
import { PinInput } from '../../../ui/form/PinInput';
import { useForm } from '../../../ui/form/useForm';

interface SetPinProps {
  person: { id: string; name: string };
  /** The reason why the PIN is set now; absent: a person chose to. */
  reason?: string;
  /** Called when the PIN is set; absent: the dialog closes. */
  onSet?: () => void;
  onClose: () => void;
}

/** Sets the PIN of a person, typed twice since it is never shown again. */
export function SetPin({ person, reason, onSet, onClose }: SetPinProps) {
  const { values, change } = useForm(undefined, { pin: '', again: '' });
  const { pin, again } = values;
  const set = useInvoke('staff.setPin', { source: 'SetPin' });
  const differs = pin === again ? undefined : i18n._('The two are not the same.');
  return (
    <FormDialog
      title={i18n._('PIN of {name}', person)}
      submit={i18n._('Set the PIN')}
      disabledReason={pin === '' ? i18n._('Type a PIN first.') : differs}
      call={set}
      onSubmit={() => set.mutate({ staffId: person.id, pin }, { onDone: onSet ?? onClose })}
      onClose={onClose}
    >
      {reason && <Text>{reason}</Text>}
      <ErrorAt pointer="/pin">
        <PinInput
          first
          label={i18n._('New PIN')}
          description={i18n._('Four to twelve digits')}
          value={pin}
          onChange={(next) => change({ pin: next })}
        />
      </ErrorAt>
      <PinInput label={i18n._('Once more')} value={again} onChange={(next) => change({ again: next })} />
    </FormDialog>
  );
}
