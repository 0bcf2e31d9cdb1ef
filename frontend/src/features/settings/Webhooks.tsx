import { Button, PasswordInput, Text, TextInput } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import type { Response } from '../../bus/client';
import { useCapability, useInvoke } from '../../bus/hooks';
import { IconAction } from '../../ui/IconAction';
import { Loading } from '../../ui/Loading';
import { hooksOf, wrongIn } from './hooks';
import { type SaveSettings, SectionForm } from './SectionForm';
import classes from './Settings.module.css';
import { TryHook } from './TryHook';
import { useRows } from './useRows';

type WebhookSettings = NonNullable<Response<'settings.get'>['webhooks']>;

/** The programs that can be told of an order. Their secrets go to the keychain of the system and are never shown. */
export function Webhooks() {
  const save = useInvoke('settings.set', { source: 'Settings' });
  const { data } = useCapability('settings.get', { section: 'webhooks' }, { source: 'Settings' });
  if (!data) return <Loading label="Reading the settings" />;
  const known = data.webhooks ?? [];
  return (
    <>
      <WebhooksForm save={save} key={JSON.stringify(known)} known={known} lasting={data.secrets === 'keychain'} />
      {known.length > 0 && <TryHook hooks={known} />}
    </>
  );
}

interface WebhooksFormProps {
  known: WebhookSettings;
  lasting: boolean;
  save: SaveSettings;
}

function WebhooksForm({ known, lasting, save }: WebhooksFormProps) {
  const { rows, change, leaveOut, add } = useRows(() =>
    known.map(({ id, url, secretSet }) => ({ id, url, secret: '', kept: secretSet })),
  );
  const hooks = hooksOf(rows);
  const same = JSON.stringify(hooks) === JSON.stringify(known.map(({ id, url }) => ({ id, url })));
  return (
    <SectionForm
      wide
      title="Webhooks"
      disabledReason={wrongIn(rows) ?? (same ? 'Nothing is changed yet.' : undefined)}
      save={save}
      onSave={() => save.mutate({ section: 'webhooks', values: { hooks } })}
    >
      <Text mb="sm">
        Another program is told of an order when somebody calls its webhook. What it is told is signed with the secret,
        so that it knows who called.{' '}
        {!lasting && 'This computer has no keychain: a secret is kept until Deskhand ends.'}
      </Text>
      <ul className={classes.hooks} aria-label="Webhooks">
        {rows.map(({ row, id, url, secret, kept }) => (
          <li key={row}>
            <TextInput
              label="Name"
              placeholder="warehouse"
              maxLength={40}
              value={id}
              onChange={(event) => change(row, { id: event.currentTarget.value })}
            />
            <TextInput
              label="Address"
              inputMode="url"
              placeholder="https://example.com/orders"
              value={url}
              onChange={(event) => change(row, { url: event.currentTarget.value })}
            />
            <PasswordInput
              size="xs"
              label="Secret"
              placeholder={kept ? 'One is kept' : 'At least 16 characters'}
              autoComplete="off"
              visibilityToggleButtonProps={{ 'aria-label': `Show the secret of ${id || 'this'}` }}
              value={secret}
              onChange={(event) => change(row, { secret: event.currentTarget.value })}
            />
            <IconAction label={`Leave ${id || 'this'} out`} onClick={() => leaveOut(row)}>
              <IconX size={15} aria-hidden />
            </IconAction>
          </li>
        ))}
      </ul>
      <Button variant="default" mt="sm" onClick={() => add({ id: '', url: '', secret: '', kept: false })}>
        One more
      </Button>
    </SectionForm>
  );
}
