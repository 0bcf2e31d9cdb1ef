import { Checkbox, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useInvoke } from '../../../asking/useInvoke';
import { useEntry } from '../../../asking/useManifest';
import type { Request, Response } from '../../../door/capabilities';
import { enumOf } from '../../../door/schema';
import { i18n } from '../../../language/i18n';
import { roleText } from '../../../shop/vocabulary';
import { ErrorAt } from '../../../ui/form/FieldErrors';
import { FormDialog } from '../../../ui/form/FormDialog';

type Role = Request<'staff.save'>['role'];

interface EditPersonProps {
  /** The person to change; absent: a new one. */
  person?: Response<'staff.list'>['staff'][number];
  onClose: () => void;
}

/** Adds a person to the staff, or changes their name and role. */
export function EditPerson({ person, onClose }: EditPersonProps) {
  const roles = enumOf<Role>(useEntry('staff.save')?.input_schema, 'role');
  const [name, setName] = useState(person?.name ?? '');
  const [role, setRole] = useState<Role>((person?.role as Role | undefined) ?? 'clerk');
  const [withoutPin, setWithoutPin] = useState(person?.withoutPin ?? false);
  const save = useInvoke('staff.save', { source: 'EditPerson', once: true });
  return (
    <FormDialog
      title={person ? i18n._('Change {name}', person) : i18n._('Add somebody')}
      submit={person ? i18n._('Save') : i18n._('Add to the staff')}
      disabledReason={name.trim() === '' ? i18n._('Fill in: Name.') : undefined}
      call={save}
      onSubmit={() => save.mutate({ staffId: person?.id, name: name.trim(), role, withoutPin }, { onSuccess: onClose })}
      onClose={onClose}
    >
      <ErrorAt pointer="/name">
        <TextInput
          data-autofocus
          label={i18n._('Name')}
          withAsterisk
          maxLength={120}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
      </ErrorAt>
      <ErrorAt pointer="/role">
        <Select
          label={i18n._('Role')}
          data={roles.map((value) => ({ value, label: roleText(value) }))}
          value={role}
          allowDeselect={false}
          onChange={(value) => value && setRole(value)}
        />
      </ErrorAt>
      <Checkbox
        size="xs"
        label={i18n._('May sign in while there is no PIN')}
        checked={withoutPin}
        onChange={(event) => setWithoutPin(event.currentTarget.checked)}
      />
    </FormDialog>
  );
}
