import { Group, Text } from '@mantine/core';
import { IconKey, IconPencil, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import type { Response } from '../../../bridge/capabilities';
import { CapabilityDialog } from '../../../kit/actions/CapabilityDialog';
import { i18n } from '../../../language/i18n';
import { useCapability } from '../../../queries/useCapability';
import { useRefusal } from '../../../queries/useManifest';
import { roleText } from '../../../shop/vocabulary';
import { ActionButton } from '../../../ui/form/ActionButton';
import { IconAction } from '../../../ui/form/IconAction';
import { Badge } from '../../../ui/page/Badge';
import { Loading } from '../../../ui/page/Loading';
import { Problem } from '../../../ui/page/Note';
import { Part } from '../../../ui/page/Page';
import page from '../../../ui/page/Page.module.css';
import { EditPerson } from './EditPerson';
import { SetPin } from './SetPin';

type Person = Response<'staff.list'>['staff'][number];
type Open =
  | { what: 'add' }
  | { what: 'change'; person: Person }
  | { what: 'pin' | 'remove'; person: Pick<Person, 'id' | 'name'> };

/** The people at the desk: what they are, and how they sign in. */
export function Staff() {
  const { data, error, refetch } = useCapability('staff.list', {}, { source: 'Staff' });
  const [open, setOpen] = useState<Open>();
  const save = useRefusal('staff.save');
  const pin = useRefusal('staff.setPin');
  const leave = useRefusal('staff.remove');
  const pinFirst = data?.pinFirst;
  const close = () => setOpen(undefined);
  return (
    <Part
      title={i18n._('Staff')}
      actions={
        <ActionButton disabledReason={save} onClick={() => setOpen({ what: 'add' })}>
          {i18n._('Add somebody')}
        </ActionButton>
      }
    >
      {error && <Problem message={error.message} hint={error.recoveryHint} onRetry={refetch} />}
      {!data && !error && <Loading label={i18n._('Reading the staff')} />}
      {pinFirst && data.staff.length > 1 && (
        <Group gap="sm" mb="xs">
          <Text size="sm">{pinFirst.reason}</Text>
          <ActionButton disabledReason={pin} onClick={() => setOpen({ what: 'pin', person: pinFirst })}>
            {i18n._('Set the PIN')}
          </ActionButton>
        </Group>
      )}
      <ul className={page.rows} aria-label={i18n._('Staff')}>
        {data?.staff.map((person) => (
          <li key={person.id}>
            <div className={page.grow}>
              <Text fw={500}>
                {person.name} <Badge color="gray">{roleText(person.role)}</Badge>
              </Text>
              <Text size="xs" c="dimmed">
                {signsIn(person)}
              </Text>
            </div>
            <IconAction
              label={i18n._('Change {name}', person)}
              disabledReason={save}
              onClick={() => setOpen({ what: 'change', person })}
            >
              <IconPencil size={15} aria-hidden />
            </IconAction>
            <IconAction
              label={i18n._('Set the PIN of {name}', person)}
              disabledReason={pin}
              onClick={() => setOpen({ what: 'pin', person })}
            >
              <IconKey size={15} aria-hidden />
            </IconAction>
            <IconAction
              label={i18n._('Remove {name}', person)}
              disabledReason={leave}
              onClick={() => setOpen({ what: 'remove', person })}
            >
              <IconTrash size={15} aria-hidden />
            </IconAction>
          </li>
        ))}
      </ul>
      {open?.what === 'add' && pinFirst && (
        <SetPin person={pinFirst} reason={pinFirst.reason} onSet={refetch} onClose={close} />
      )}
      {open?.what === 'add' && data && !pinFirst && <EditPerson onClose={close} />}
      {open?.what === 'change' && (
        <EditPerson person={data?.staff.find(({ id }) => id === open.person.id) ?? open.person} onClose={close} />
      )}
      {open?.what === 'pin' && <SetPin person={open.person} onClose={close} />}
      {open?.what === 'remove' && (
        <CapabilityDialog
          danger
          name="staff.remove"
          source="Staff"
          about={{ staffId: open.person.id }}
          title={i18n._('Remove {name}', open.person)}
          submit={i18n._('Remove from the staff')}
          leave={i18n._('Keep')}
          onClose={close}
        >
          <Text>
            {i18n._('With the PIN, and signed out everywhere. What {name} did stays in the log.', open.person)}
          </Text>
        </CapabilityDialog>
      )}
    </Part>
  );
}

function signsIn({ hasPin, withoutPin }: Person): string {
  if (hasPin) return i18n._('Signs in with a PIN');
  return withoutPin ? i18n._('Signs in without a PIN') : i18n._('Has no PIN yet and cannot sign in');
}
