import { PasswordInput, Select, Text } from '@mantine/core';
import { useState } from 'react';
import type { Request, Response } from '../../bus/client';
import { useCapability, useInvoke } from '../../bus/hooks';
import { changed, draftOf, type Field } from '../../ui/fields';
import { Loading } from '../../ui/Loading';
import { TextFields } from '../../ui/TextFields';
import { type SaveSettings, SectionForm } from './SectionForm';
import { TestMail } from './TestMail';

type MailSettings = NonNullable<Response<'settings.get'>['mail']>;
type Encryption = NonNullable<Request<'settings.set'>['values']['encryption']>;

const fields: readonly Field<'host' | 'port' | 'from' | 'fromName' | 'username'>[] = [
  { name: 'host', label: 'Server', placeholder: 'smtp.example.com' },
  { name: 'port', label: 'Port', placeholder: 'As the encryption wants', inputMode: 'numeric', half: true },
  { name: 'username', label: 'User', half: true },
  { name: 'from', label: 'Sender', inputMode: 'email', half: true },
  { name: 'fromName', label: 'Name of the sender', placeholder: 'The name of the shop', half: true },
];

const encryptions: Record<Encryption, string> = {
  starttls: 'STARTTLS',
  tls: 'TLS',
  none: 'None, for a server on this computer',
};

/** The server that sends receipts. Its password goes to the keychain of the system and is never shown. */
export function Mail() {
  const save = useInvoke('settings.set', { source: 'Settings' });
  const { data } = useCapability('settings.get', { section: 'mail' }, { source: 'Settings' });
  if (!data) return <Loading label="Reading the settings" />;
  return (
    <>
      <MailForm save={save} key={JSON.stringify(data)} known={data.mail} secrets={data.secrets} />
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
  const [draft, setDraft] = useState(draftOf(fields, texts));
  const [encryption, setEncryption] = useState<Encryption>(known?.encryption ?? 'starttls');
  const [password, setPassword] = useState('');
  const { port, ...values } = changed(draft, texts);
  const asked: Request<'settings.set'>['values'] = {
    ...values,
    ...(port ? { port: Number(port) } : {}),
    ...(encryption === (known?.encryption ?? 'starttls') ? {} : { encryption }),
    ...(password === '' ? {} : { password }),
  };
  return (
    <SectionForm
      title="Mail server"
      disabledReason={Object.keys(asked).length === 0 ? 'Nothing is changed yet.' : undefined}
      save={save}
      onSave={() => save.mutate({ section: 'mail', values: asked }, { onSuccess: () => setPassword('') })}
    >
      <TextFields fields={fields} draft={draft} onChange={setDraft} />
      <Select
        label="Encryption"
        data={Object.entries(encryptions).map(([value, label]) => ({ value: value as Encryption, label }))}
        value={encryption}
        allowDeselect={false}
        onChange={(value) => value && setEncryption(value)}
      />
      <PasswordInput
        size="xs"
        label="Password"
        placeholder={known?.passwordSet ? 'One is kept; type another to replace it' : 'None is kept'}
        autoComplete="off"
        visibilityToggleButtonProps={{ 'aria-label': 'Show the password' }}
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      {secrets !== 'keychain' && (
        <Text size="xs" c="dimmed">
          {secrets === 'memory'
            ? 'This computer has no keychain: a password is kept until Deskhand ends.'
            : 'There is nowhere here to keep a password.'}
        </Text>
      )}
    </SectionForm>
  );
}
