import { PasswordInput, Text } from '@mantine/core';
import { useState } from 'react';
import type { Request, Response } from '../../../bridge/capabilities';
import { i18n } from '../../../language/i18n';
import { useCapability } from '../../../queries/useCapability';
import { useInvoke } from '../../../queries/useInvoke';
import { useRefusal } from '../../../queries/useManifest';
import { ActionButton } from '../../../ui/form/ActionButton';
import { ErrorAt } from '../../../ui/form/FieldErrors';
import { changed, draftOf, type Field } from '../../../ui/form/fields';
import { Select } from '../../../ui/form/Select';
import { TextFields } from '../../../ui/form/TextFields';
import { useDraftOver } from '../../../ui/form/useDraftOver';
import { Problem } from '../../../ui/page/Note';
import { Part } from '../../../ui/page/Page';
import { Reading } from '../../../ui/page/Reading';
import { type SaveSettings, SectionForm } from '../SectionForm';

type MailSettings = NonNullable<Response<'settings.get'>['mail']>;
type Encryption = NonNullable<Request<'settings.set'>['values']['encryption']>;

const fields: readonly Field<'host' | 'port' | 'from' | 'fromName' | 'username'>[] = [
  { name: 'host', label: i18n._('Server'), placeholder: 'smtp.example.com' },
  {
    name: 'port',
    label: i18n._('Port'),
    placeholder: i18n._('As the encryption wants'),
    number: { min: 1, max: 65535 },
    half: true,
  },
  { name: 'username', label: i18n._('User'), half: true },
  { name: 'from', label: i18n._('Sender'), inputMode: 'email', half: true },
  { name: 'fromName', label: i18n._('Name of the sender'), placeholder: i18n._('The name of the shop'), half: true },
];

const encryptions: Record<Encryption, string> = {
  starttls: 'STARTTLS',
  tls: 'TLS',
  none: i18n._('None, for a server on this computer'),
};

/** The server that sends receipts. Its password goes to the keychain of the system and is never shown. */
export function Mail() {
  const save = useInvoke('settings.set', { source: 'Settings' });
  const read = useCapability('settings.get', { section: 'mail' }, { source: 'Settings' });
  const { data } = read;
  if (!data) return <Reading label={i18n._('Reading the settings')} of={read} />;
  return (
    <>
      <MailForm save={save} known={data.mail} secrets={data.secrets} />
      <TestMail />
    </>
  );
}

function MailForm({
  known,
  secrets,
  save,
}: {
  known?: MailSettings;
  secrets: Response<'settings.get'>['secrets'];
  save: SaveSettings;
}) {
  const texts = { ...known, port: known ? String(known.port) : '' };
  const [draft, setDraft] = useDraftOver('settings mail', draftOf(fields, texts));
  const [{ encryption }, encrypt] = useDraftOver<{ encryption: Encryption }>('settings encryption', {
    encryption: known?.encryption ?? 'starttls',
  });
  const [password, setPassword] = useState(''); // a secret: gone with the page
  const { port, ...values } = changed(draft, texts);
  const asked: Request<'settings.set'>['values'] = {
    ...values,
    ...(port ? { port: Number(port) } : {}),
    ...(encryption === (known?.encryption ?? 'starttls') ? {} : { encryption }),
    ...(password === '' ? {} : { password }),
  };
  return (
    <SectionForm
      title={i18n._('Mail server')}
      disabledReason={Object.keys(asked).length === 0 ? i18n._('Nothing is changed yet.') : undefined}
      save={save}
      onSave={() => save.mutate({ section: 'mail', values: asked }, { onSuccess: () => setPassword('') })}
    >
      <TextFields at="/values" fields={fields} draft={draft} onChange={setDraft} />
      <ErrorAt pointer="/values/encryption">
        <Select
          label={i18n._('Encryption')}
          data={Object.entries(encryptions).map(([value, label]) => ({ value: value as Encryption, label }))}
          value={encryption}
          allowDeselect={false}
          onChange={(value) => value && encrypt({ encryption: value })}
        />
      </ErrorAt>
      <ErrorAt pointer="/values/password">
        <PasswordInput
          size="xs"
          label={i18n._('Password')}
          placeholder={known?.passwordSet ? i18n._('One is kept; type another to replace it') : i18n._('None is kept')}
          autoComplete="off"
          visibilityToggleButtonProps={{ 'aria-label': i18n._('Show the password') }}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
      </ErrorAt>
      {secrets !== 'keychain' && (
        <Text size="xs" c="dimmed">
          {secrets === 'memory'
            ? i18n._('This computer has no keychain: a password is kept until Deskhand ends.')
            : i18n._('There is nowhere here to keep a password.')}
        </Text>
      )}
    </SectionForm>
  );
}

/** Sends a mail to the sender, to see whether it arrives. */
function TestMail() {
  const test = useInvoke('settings.testMail', { source: 'Settings' });
  const refused = useRefusal('settings.testMail');
  return (
    <Part title={i18n._('Try it')}>
      {test.error && <Problem message={test.error.message} hint={test.error.recoveryHint} />}
      <ActionButton variant="default" disabledReason={refused} loading={test.isPending} onClick={() => test.mutate({})}>
        {i18n._('Send a test mail')}
      </ActionButton>
      <Text mt="xs" role="status">
        {test.data && i18n._('A mail is on its way to {to}.', test.data.data)}
      </Text>
    </Part>
  );
}
