import { Autocomplete } from '@mantine/core';
import type { Response } from '../../../bridge/capabilities';
import { useOpenChat } from '../../../kit/desk/useOpenChat';
import { i18n } from '../../../language/i18n';
import { useInvoke } from '../../../queries/useInvoke';
import { ErrorAt } from '../../../ui/form/FieldErrors';
import type { Field } from '../../../ui/form/fields';
import { Select } from '../../../ui/form/Select';
import { TextFields } from '../../../ui/form/TextFields';
import { useForm } from '../../../ui/form/useForm';
import { SavedSection, type SaveSettings, SectionForm } from '../SectionForm';
import { LocalModels } from './LocalModels';
import { ModelKey } from './ModelKey';
import {
  BUILT_IN,
  draftOfModel,
  draftOfPreset,
  findingsOf,
  lackingIn,
  type ModelDraft,
  untestable,
  valuesOf,
} from './modelDraft';
import { presetBy, presets } from './presets';
import { TestModel } from './TestModel';
import { TryOnPast } from './TryOnPast';

type Settings = Response<'settings.get'>;

const source = { source: 'Settings' };

const address: readonly Field<'endpoint'>[] = [
  { name: 'endpoint', label: i18n._('Address'), placeholder: 'https://models.example.com/v1' },
];
const prices: readonly Field<'inputPrice' | 'outputPrice' | 'priceCurrency'>[] = [
  {
    name: 'inputPrice',
    label: i18n._('Price of a million tokens read'),
    placeholder: i18n._('Not known'),
    number: { min: 0, decimals: 6 },
    half: true,
  },
  {
    name: 'outputPrice',
    label: i18n._('Of a million written'),
    placeholder: i18n._('Not known'),
    number: { min: 0, decimals: 6 },
    half: true,
  },
  { name: 'priceCurrency', label: i18n._('Currency of the two'), placeholder: 'USD', half: true },
];
const reading: readonly Field<'context'>[] = [
  {
    name: 'context',
    label: i18n._('Tokens it reads at once'),
    placeholder: i18n._('Its endpoint is asked'),
    number: { min: 0 },
    half: true,
  },
];
const below: ['label', 'input', 'description', 'error'] = ['label', 'input', 'description', 'error'];

/** Which model answers in the chat, what it costs, and whether it can do the work. */
export function Model() {
  return (
    <SavedSection section="model">
      {({ model, secrets }, save) => <ModelForm save={save} known={model} secrets={secrets} />}
    </SavedSection>
  );
}

interface ModelFormProps {
  known: Settings['model'];
  secrets: Settings['secrets'];
  save: SaveSettings;
}

function ModelForm({ known, secrets, save }: ModelFormProps) {
  const { key: _, ...texts } = draftOfModel(known);
  const said = useForm('settings model', texts);
  const secret = useForm(undefined, { key: '' });
  const draft: ModelDraft = { ...said.values, ...secret.values };
  const change = ({ key, ...rest }: Partial<ModelDraft>) => {
    said.change(rest);
    if (key !== undefined) secret.change({ key });
  };
  const test = useInvoke('settings.testModel', source);
  const openChat = useOpenChat();
  const { preset, endpoint, model } = draft;
  const builtin = preset === BUILT_IN;
  const values = valuesOf(known, draft);
  const lacks = lackingIn(draft);
  const tested = test.variables?.endpoint === endpoint.trim() && test.variables.model === model.trim();
  const found = tested && test.data && !builtin ? findingsOf(test.data.data) : {};
  const fresh = found.abilities !== undefined && `${found.abilities}` !== `${known?.abilities ?? []}`;
  const same = Object.keys(values).length === 0 && !fresh ? i18n._('Nothing is changed yet.') : undefined;
  const choose = (id: string) => {
    change(draftOfPreset(known, id));
    test.reset();
  };
  return (
    <>
      <SectionForm
        title={i18n._('Who answers')}
        disabledReason={lacks ?? same}
        save={save}
        onSave={() =>
          save.mutate(
            { section: 'model', values: { ...found, ...values } },
            { onSuccess: () => secret.change({ key: '' }) },
          )
        }
      >
        <LocalModels
          inUse={known}
          disabled={save.isPending}
          onUse={(at, name) =>
            save.mutate({ section: 'model', values: { endpoint: at, model: name } }, { onSuccess: openChat })
          }
        />
        <Select
          label={i18n._('Assistant')}
          data={[
            { value: BUILT_IN, label: i18n._('The built-in assistant') },
            ...presets.map(({ id, label }) => ({ value: id, label })),
          ]}
          description={
            builtin ? i18n._('No model, no network: it knows the sentences of this shop.') : presetBy(preset).hint
          }
          inputWrapperOrder={below}
          value={preset}
          allowDeselect={false}
          onChange={(id) => id && choose(id)}
        />
        {!builtin && (
          <>
            <TextFields at="/values" fields={address} draft={draft} onChange={change} />
            <ErrorAt pointer="/values/model">
              <Autocomplete
                size="xs"
                label={i18n._('Model')}
                placeholder={i18n._('As the endpoint calls it')}
                description={
                  test.data ? undefined : i18n._('Test it, and the models the endpoint has are offered here.')
                }
                inputWrapperOrder={below}
                data={test.data?.data.models ?? []}
                limit={50}
                maxLength={200}
                comboboxProps={{ shadow: 'sm' }}
                value={model}
                onChange={(next) => change({ model: next })}
              />
            </ErrorAt>
            <ModelKey
              needed={presetBy(preset).key}
              kept={known?.keySet === true && endpoint === known.endpoint}
              secrets={secrets}
              value={draft.key}
              onChange={(next) => change({ key: next })}
            />
            {presetBy(preset).key && <TextFields at="/values" fields={prices} draft={draft} onChange={change} />}
            <TextFields at="/values" fields={reading} draft={draft} onChange={change} />
            <TestModel
              {...{ test, endpoint, model }}
              tested={endpoint === known?.endpoint && model === known.model ? known.abilities : undefined}
              disabledReason={untestable(draft)}
            />
          </>
        )}
      </SectionForm>
      <TryOnPast
        endpoint={builtin ? '' : endpoint.trim()}
        model={builtin ? '' : model.trim()}
        disabledReason={builtin ? undefined : untestable(draft)}
      />
    </>
  );
}
