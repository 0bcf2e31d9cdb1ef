import { Checkbox, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Request, Response } from '../../bus/client';
import { useEntry, useInvoke } from '../../bus/hooks';
import { enumOf } from '../../bus/schema';
import { FormDialog } from '../../ui/FormDialog';
import { humanize } from '../../ui/format';

type Role = Request<'staff.save'>['role'];

interface EditPersonProps {
  /** Who is changed; absent: somebody new. */
  person?: Response<'staff.list'>['staff'][number];
  onClose: () => void;
}

/** Adds somebody to the staff, or changes what somebody is. */
export function EditPerson({ person, onClose }: EditPersonProps) {
  const roles = enumOf<Role>(useEntry('staff.save')?.input_schema, 'role');
  const [name, setName] = useState(person?.name ?? '');
  const [role, setRole] = useState<Role>((person?.role as Role | undefined) ?? 'clerk');
  const [withoutPin, setWithoutPin] = useState(person?.withoutPin ?? false);
  const save = useInvoke('staff.save', { source: 'EditPerson', once: true });
  return (
    <FormDialog
      title={person ? `Change ${person.name}` : 'Add somebody'}
      submit={person ? 'Save' : 'Add to the staff'}
      disabledReason={name.trim() === '' ? 'Fill in: Name.' : undefined}
      pending={save.isPending}
      error={save.error}
      onSubmit={() => save.mutate({ staffId: person?.id, name: name.trim(), role, withoutPin }, { onSuccess: onClose })}
      onClose={onClose}
    >
      <TextInput
        data-autofocus
        label="Name"
        withAsterisk
        maxLength={120}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Select
        label="Role"
        data={roles.map((value) => ({ value, label: humanize(value) }))}
        value={role}
        allowDeselect={false}
        onChange={(value) => value && setRole(value)}
      />
      <Checkbox
        size="xs"
        label="May sign in while there is no PIN"
        checked={withoutPin}
        onChange={(event) => setWithoutPin(event.currentTarget.checked)}
      />
    </FormDialog>
  );
}
