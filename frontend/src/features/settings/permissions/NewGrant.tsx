import { Text, TextInput } from '@mantine/core';
import BoundsFields from '../../../kit/grants/BoundsFields';
import { type Bounds, termsOf } from '../../../kit/grants/bounds';
import { inSentence } from '../../../language/format';
import { i18n } from '../../../language/i18n';
import { own } from '../../../language/own';
import { useCapability } from '../../../queries/useCapability';
import { useInvoke } from '../../../queries/useInvoke';
import { useManifest } from '../../../queries/useManifest';
import { CustomerField } from '../../../shop/CustomerField';
import { useCurrency } from '../../../shop/currency';
import { FormDialog } from '../../../ui/form/FormDialog';
import { Select } from '../../../ui/form/Select';
import { useForm } from '../../../ui/form/useForm';
import { grantableIn } from './rules';

const source = 'NewGrant';

/** The values of the form of a grant. */
interface Granting {
  name: string | null;
  bounds: Bounds;
  subjects: Readonly<Record<string, string>>;
}

const nothing: Granting = { name: null, bounds: { only: [], rest: {} }, subjects: {} };

/** Allows one thing beforehand, within bounds and up to an end. The application says what is still too wide. */
export function NewGrant({ onClose }: { onClose: () => void }) {
  const choices = grantableIn(useManifest()?.capabilities ?? []);
  const { data: status } = useCapability('assistant.status', {}, { source });
  const currency = useCurrency();
  const { values, change } = useForm(undefined, nothing);
  const { name, bounds, subjects } = values;
  const create = useInvoke('grant.create', { source, once: true });
  const chosen = choices.find((entry) => entry.name === name);
  const { endpoint, model } = status ?? {};
  const lacks = endpoint && model ? undefined : i18n._('No assistant is set up.');
  const give = () => {
    if (!chosen || !endpoint || !model) return;
    const only = Object.entries(subjects).map(([key, value]) => ({ key, value, kept: value !== '' }));
    const terms = termsOf({ ...bounds, only, currency });
    create.mutate({ grantee: { endpoint, model }, capability: chosen.name, ...terms }, { onDone: onClose });
  };
  const about = chosen?.grantable?.filter((key) => key !== 'amount') ?? [];
  return (
    <FormDialog
      {...{ title: i18n._('Allow something without asking'), submit: i18n._('Give the grant'), size: 'md', onClose }}
      disabledReason={lacks ?? (chosen ? undefined : i18n._('Choose what is allowed.'))}
      call={create}
      onSubmit={give}
    >
      <Select
        data-autofocus
        label={i18n._('What is allowed')}
        placeholder={i18n._('Search what it can do')}
        searchable
        data={choices.map((entry) => ({ value: entry.name, label: entry.title }))}
        value={name}
        onChange={(next) => {
          change({ name: next, subjects: {} });
          create.reset();
        }}
      />
      {chosen && (
        <>
          <Text size="xs" c="dimmed">
            {chosen.help}
          </Text>
          {about.map((key) =>
            key === 'customerId' ? (
              <CustomerField
                key={key}
                label={i18n._('Only for customer')}
                source="NewGrant"
                onChange={(value) => change({ subjects: { ...subjects, [key]: value } })}
              />
            ) : (
              <TextInput
                key={key}
                label={i18n._('Only for {what}', { what: inSentence(key) })}
                value={own(subjects, key) ?? ''}
                onChange={(event) => change({ subjects: { ...subjects, [key]: event.currentTarget.value.trim() } })}
              />
            ),
          )}
          <BoundsFields
            bounds={{ ...bounds, currency }}
            money={chosen.facts?.includes('amount') ?? false}
            capability={chosen.name}
            onChange={(next) => {
              change({ bounds: next });
              create.reset(); // what it said was of other bounds
            }}
          />
        </>
      )}
      <Text size="xs" c="dimmed">
        {endpoint === 'built-in'
          ? i18n._('It counts for the built-in assistant while you are at the desk, and for no other.')
          : i18n._('It counts for {model} while you are at the desk, and for no other.', { model })}
      </Text>
    </FormDialog>
  );
}
