import { PasswordInput, Text } from '@mantine/core';
import type { Request, Response } from '../../../bridge/capabilities';
import { i18n } from '../../../language/i18n';
import { useInvoke } from '../../../queries/useInvoke';
import { useRefusal } from '../../../queries/useManifest';
import { ActionButton } from '../../../ui/form/ActionButton';
import { ErrorAt } from '../../../ui/form/FieldErrors';
import { draftOf, type Field } from '../../../ui/form/fields';
import { Select } from '../../../ui/form/Select';
import { TextFields } from '../../../ui/form/TextFields';
import { useForm } from '../../../ui/form/useForm';
import { Problem } from '../../../ui/page/Note';
import { Part } from '../../../ui/page/Page';
import { SavedSection, type SaveSettings, SectionForm } from '../SectionForm';

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
  return (
    <SavedSection section="mail">
      {({ mail, secrets }, save) => (
        <>
          <MailForm save={save} known={mail} secrets={secrets} />
          <TestMail />
        </>
      )}
    </SavedSection>
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
  const was: Encryption = known?.encryption ?? 'starttls';
  const form = useForm('settings mail', { ...draftOf(fields, texts), encryption: was });
  const { encryption, ...draft } = form.values;
  const secret = useForm(undefined, { password: '' });
  const { port, ...values } = form.changes;
  const asked: Request<'settings.set'>['values'] = {
    ...values,
    ...(port ? { port: Number(port) } : {}),
    ...secret.changes,
  };
  return (
    <SectionForm
      title={i18n._('Mail server')}
      disabledReason={Object.keys(asked).length === 0 ? i18n._('Nothing is changed yet.') : undefined}
      save={save}
      onSave={() =>
        save.mutate({ section: 'mail', values: asked }, { onSuccess: () => secret.change({ password: '' }) })
      }
    >
      <TextFields at="/values" fields={fields} draft={draft} onChange={form.change} />
      <ErrorAt pointer="/values/encryption">
        <Select
          label={i18n._('Encryption')}
          data={Object.entries(encryptions).map(([value, label]) => ({ value: value as Encryption, label }))}
          value={encryption}
          allowDeselect={false}
          onChange={(value) => value && form.change({ encryption: value })}
        />
      </ErrorAt>
      <ErrorAt pointer="/values/password">
        <PasswordInput
          size="xs"
          label={i18n._('Password')}
          placeholder={known?.passwordSet ? i18n._('One is kept; type another to replace it') : i18n._('None is kept')}
          autoComplete="off"
          visibilityToggleButtonProps={{ 'aria-label': i18n._('Show the password') }}
          value={secret.values.password}
          onChange={(event) => secret.change({ password: event.currentTarget.value })}
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
