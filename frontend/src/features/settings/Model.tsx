import { Autocomplete, Group, PasswordInput, Select, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Request, Response } from '../../bus/client';
import { useCapability, useInvoke, useRefusal } from '../../bus/hooks';
import { ActionButton } from '../../ui/ActionButton';
import { Loading } from '../../ui/Loading';
import { Problem } from '../../ui/Note';
import { ModelVerdict } from './ModelVerdict';
import { presetBy, presetOf, presets } from './presets';
import { type SaveSettings, SectionForm } from './SectionForm';

type Settings = Response<'settings.get'>;

const source = { source: 'Settings' };

/** Which model answers in the chat. Its key goes to the keychain of the system and is never shown. */
export function Model() {
  const save = useInvoke('settings.set', source);
  const { data, error, refetch } = useCapability('settings.get', { section: 'model' }, source);
  if (error && !data) return <Problem message={error.message} hint={error.recoveryHint} onRetry={refetch} />;
  if (!data) return <Loading label="Reading the settings" />;
  return <ModelForm save={save} key={JSON.stringify(data)} known={data.model} secrets={data.secrets} />;
}

interface ModelFormProps {
  known: Settings['model'];
  secrets: Settings['secrets'];
  save: SaveSettings;
}

function ModelForm({ known, secrets, save }: ModelFormProps) {
  const [preset, setPreset] = useState(known ? presetOf(known.endpoint).id : 'builtin');
  const [endpoint, setEndpoint] = useState(known?.endpoint ?? '');
  const [model, setModel] = useState(known?.model ?? '');
  const [key, setKey] = useState('');
  const test = useInvoke('settings.testModel', source);
  const mayTest = useRefusal('settings.testModel');
  const builtin = preset === 'builtin';
  const values = builtin ? { endpoint: '' } : asked(known, endpoint, model, key);
  const lacks = !builtin && (endpoint.trim() === '' || model.trim() === '') ? 'Fill in address and model.' : undefined;
  const same = Object.keys(values).length === 0 || (builtin && !known) ? 'Nothing is changed yet.' : undefined;
  const choose = (id: string) => {
    setPreset(id);
    test.reset();
    if (id === 'builtin') return;
    const { endpoint: address, model: first } = presetBy(id);
    const back = known && presetOf(known.endpoint).id === id;
    setEndpoint(back ? known.endpoint : address);
    setModel(back ? known.model : first);
    setKey('');
  };
  return (
    <SectionForm
      title="Who answers"
      disabledReason={lacks ?? same}
      save={save}
      onSave={() => save.mutate({ section: 'model', values })}
    >
      <Select
        label="Assistant"
        data={[
          { value: 'builtin', label: 'The built-in assistant' },
          ...presets.map(({ id, label }) => ({ value: id, label })),
        ]}
        description={builtin ? 'No model, no network: it knows the sentences of this shop.' : presetBy(preset).hint}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        value={preset}
        allowDeselect={false}
        onChange={(id) => id && choose(id)}
      />
      {!builtin && (
        <>
          <TextInput
            label="Address"
            inputMode="url"
            placeholder="https://models.example.com/v1"
            autoComplete="off"
            spellCheck={false}
            maxLength={300}
            value={endpoint}
            onChange={(event) => setEndpoint(event.currentTarget.value)}
          />
          <Autocomplete
            size="xs"
            label="Model"
            placeholder="As the endpoint calls it"
            description={test.data ? undefined : 'Test it, and the models the endpoint has are offered here.'}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            data={test.data?.data.models ?? []}
            limit={50}
            maxLength={200}
            comboboxProps={{ shadow: 'sm' }}
            value={model}
            onChange={setModel}
          />
          <Key
            needed={presetBy(preset).key}
            kept={known?.keySet && endpoint === known.endpoint}
            value={key}
            onChange={setKey}
          />
          {secrets !== 'keychain' && <NoKeychain secrets={secrets} />}
          <Group gap="md" align="start">
            <ActionButton
              variant="default"
              loading={test.isPending}
              disabledReason={
                mayTest ?? lacks ?? (key ? 'Save the key first: it is only used from the keychain.' : undefined)
              }
              onClick={() => test.mutate({ endpoint: endpoint.trim(), model: model.trim() })}
            >
              Test
            </ActionButton>
            <Text size="xs" c="dimmed" flex={1}>
              Asks about the weather in two cities. Nothing of the shop is sent.
            </Text>
          </Group>
          {test.error && <Problem message={test.error.message} hint={test.error.recoveryHint} />}
          {test.data && !test.isPending && (
            <ModelVerdict report={test.data.data} model={test.variables?.model ?? model} />
          )}
        </>
      )}
    </SectionForm>
  );
}

interface KeyProps {
  needed: boolean;
  kept?: boolean;
  value: string;
  onChange: (key: string) => void;
}

function Key({ needed, kept, value, onChange }: KeyProps) {
  const none = needed ? 'None is kept' : 'None is needed, as a rule';
  return (
    <PasswordInput
      size="xs"
      label="Key"
      placeholder={kept ? 'One is kept; type another to replace it' : none}
      autoComplete="off"
      visibilityToggleButtonProps={{ 'aria-label': 'Show the key' }}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

/** Where a key goes when there is no keychain: nowhere that lasts, and never into a file. */
function NoKeychain({ secrets }: { secrets: Settings['secrets'] }) {
  return (
    <Text size="xs" c="dimmed">
      {secrets === 'memory'
        ? 'This computer has no keychain: a key is kept until Deskhand ends.'
        : 'There is nowhere here to keep a key.'}
    </Text>
  );
}

/** What differs from what is set; address and model belong together. */
function asked(known: Settings['model'], endpoint: string, model: string, key: string) {
  const values: Request<'settings.set'>['values'] = {};
  const [address, name] = [endpoint.trim(), model.trim()];
  if (address !== (known?.endpoint ?? '') || name !== (known?.model ?? ''))
    Object.assign(values, { endpoint: address, model: name });
  if (key !== '') values.key = key;
  return values;
}
