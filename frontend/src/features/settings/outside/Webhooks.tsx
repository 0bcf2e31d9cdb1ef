import { PasswordInput, Text, TextInput } from '@mantine/core';
import type { Response } from '../../../bridge/capabilities';
import { i18n } from '../../../language/i18n';
import { useEntry } from '../../../queries/useManifest';
import { EditableRows, omitText } from '../../../ui/form/EditableRows';
import { ErrorAt } from '../../../ui/form/FieldErrors';
import { useRows } from '../../../ui/form/useRows';
import { SavedSection, type SaveSettings, SectionForm } from '../SectionForm';
import classes from '../Settings.module.css';
import { TryHook } from './TryHook';
import { hooksOf, wrongIn } from './webhooks';

type WebhookSettings = NonNullable<Response<'settings.get'>['webhooks']>;

/** The programs that can be told of an order. Their secrets go to the keychain of the system and are never shown. */
export function Webhooks() {
  return (
    <SavedSection section="webhooks">
      {({ webhooks = [], secrets }, save) => (
        <>
          <WebhooksForm save={save} known={webhooks} lasting={secrets === 'keychain'} />
          {webhooks.length > 0 && <TryHook hooks={webhooks} />}
        </>
      )}
    </SavedSection>
  );
}

interface WebhooksFormProps {
  known: WebhookSettings;
  lasting: boolean;
  save: SaveSettings;
}

function WebhooksForm({ known, lasting, save }: WebhooksFormProps) {
  const { rows, change, changeAll, omit, add } = useRows(
    undefined,
    known.map(({ id, url, secretSet }) => ({ id, url, secret: '', kept: secretSet })),
  );
  const forget = () => changeAll((now) => now.map((row) => ({ ...row, secret: '' })));
  const schema = useEntry('settings.set')?.input_schema;
  const hooks = hooksOf(rows);
  const same = JSON.stringify(hooks) === JSON.stringify(known.map(({ id, url }) => ({ id, url })));
  return (
    <SectionForm
      wide
      title={i18n._('Webhooks')}
      disabledReason={wrongIn(rows, schema) ?? (same ? i18n._('Nothing is changed yet.') : undefined)}
      save={save}
      onSave={() => save.mutate({ section: 'webhooks', values: { hooks } }, { onSuccess: forget })}
    >
      <Text mb="sm">
        {i18n._(
          'Another program is told of an order when somebody calls its webhook. What it is told is signed with the secret, so that it knows who called.',
        )}{' '}
        {!lasting && i18n._('This computer has no keychain: a secret is kept until Deskhand ends.')}
      </Text>
      <EditableRows
        label={i18n._('Webhooks')}
        className={classes.hooks}
        rows={rows}
        omitText={({ id }) => omitText(id)}
        onOmit={omit}
        adding={{ text: i18n._('One more'), onAdd: () => add({ id: '', url: '', secret: '', kept: false }) }}
      >
        {({ row, id, url, secret, kept }, index) => (
          <>
            <ErrorAt pointer={`/values/hooks/${index}/id`}>
              <TextInput
                label={i18n._('Name')}
                placeholder={'warehouse'}
                value={id}
                onChange={(event) => change(row, { id: event.currentTarget.value })}
              />
            </ErrorAt>
            <ErrorAt pointer={`/values/hooks/${index}/url`}>
              <TextInput
                label={i18n._('Address')}
                inputMode="url"
                placeholder={'https://example.com/orders'}
                value={url}
                onChange={(event) => change(row, { url: event.currentTarget.value })}
              />
            </ErrorAt>
            <ErrorAt pointer={`/values/hooks/${index}/secret`}>
              <PasswordInput
                size="xs"
                label={i18n._('Secret')}
                placeholder={kept ? i18n._('One is kept') : i18n._('At least 16 characters')}
                autoComplete="off"
                visibilityToggleButtonProps={{
                  'aria-label': id ? i18n._('Show the secret of {name}', { name: id }) : i18n._('Show the secret'),
                }}
                value={secret}
                onChange={(event) => change(row, { secret: event.currentTarget.value })}
              />
            </ErrorAt>
          </>
        )}
      </EditableRows>
    </SectionForm>
  );
}
