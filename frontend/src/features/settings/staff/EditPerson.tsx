import { Checkbox, Group, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Request, Response } from '../../../bridge/capabilities';
import { enumOf } from '../../../bridge/schema';
import { i18n } from '../../../language/i18n';
import { useInvoke } from '../../../queries/useInvoke';
import { useEntry } from '../../../queries/useManifest';
import { roleText } from '../../../shop/vocabulary';
import { ErrorAt } from '../../../ui/form/FieldErrors';
import { FormDialog } from '../../../ui/form/FormDialog';
import { PinInput } from '../../../ui/form/PinInput';
import { Select } from '../../../ui/form/Select';
import { useForm } from '../../../ui/form/useForm';

type Role = Request<'staff.save'>['role'];

interface Draft {
  name: string;
  role: Role;
  withoutPin: boolean;
}

interface EditPersonProps {
  /** The person to change; absent: a new one. */
  person?: Response<'staff.list'>['staff'][number];
  onClose: () => void;
}

/** Adds a person to the staff, or changes their name and role. */
export function EditPerson({ person, onClose }: EditPersonProps) {
  const roles = enumOf<Role>(useEntry('staff.save')?.input_schema, 'role');
  const { values, change } = useForm<Draft>(`person ${person?.id ?? ''}`, {
    name: person?.name ?? '',
    role: (person?.role as Role | undefined) ?? 'clerk',
    withoutPin: person?.withoutPin ?? false,
  });
  const { name, role, withoutPin } = values;
  const { values: secret, change: say } = useForm(undefined, { pin: '', again: '' });
  const { pin, again } = secret;
  const [added, setAdded] = useState<string>();
  const save = useInvoke('staff.save', { source: 'EditPerson', once: true });
  const set = useInvoke('staff.setPin', { source: 'EditPerson' });
  const protect = (staffId: string) => set.mutate({ staffId, pin }, { onDone: onClose });
  const submit = () => {
    if (added) return protect(added); // the PIN was refused: the person is there already
    save.mutate(
      { staffId: person?.id, name: name.trim(), role, withoutPin },
      {
        onDone: () => pin === '' && onClose(),
        onSuccess: ({ data }) => {
          if (pin === '') return;
          setAdded(data.id);
          protect(data.id);
        },
      },
    );
  };
  const differs = pin === again ? undefined : i18n._('The two PINs are not the same.');
  return (
    <FormDialog
      title={person ? i18n._('Change {name}', person) : i18n._('Add somebody')}
      submit={person ? i18n._('Save') : i18n._('Add to the staff')}
      disabledReason={name.trim() === '' ? i18n._('Fill in: Name.') : differs}
      call={added ? set : save}
      onSubmit={submit}
      onClose={onClose}
    >
      <ErrorAt pointer="/name">
        <TextInput
          data-autofocus
          label={i18n._('Name')}
          withAsterisk
          value={name}
          onChange={(event) => change({ name: event.currentTarget.value })}
        />
      </ErrorAt>
      <ErrorAt pointer="/role">
        <Select
          label={i18n._('Role')}
          data={roles.map((value) => ({ value, label: roleText(value) }))}
          value={role}
          allowDeselect={false}
          onChange={(value) => value && change({ role: value })}
        />
      </ErrorAt>
      {!person && (
        <Group grow align="start" gap="sm">
          <ErrorAt pointer="/pin">
            <PinInput
              label={i18n._('PIN')}
              description={i18n._('Four to twelve digits')}
              value={pin}
              onChange={(next) => say({ pin: next })}
            />
          </ErrorAt>
          <PinInput
            label={i18n._('PIN once more')}
            description={i18n._('It is never shown again')}
            value={again}
            onChange={(next) => say({ again: next })}
          />
        </Group>
      )}
      <Checkbox
        size="xs"
        label={i18n._('May sign in while there is no PIN')}
        checked={withoutPin}
        onChange={(event) => change({ withoutPin: event.currentTarget.checked })}
      />
    </FormDialog>
  );
}
