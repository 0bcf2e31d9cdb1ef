import { Button, Group, Input, Text } from '@mantine/core';
import Form from '@rjsf/mantine';
import type { OptionalDataControlsTemplateProps, RJSFSchema, TitleFieldProps, WidgetProps } from '@rjsf/utils';
import { IconPlus, IconX } from '@tabler/icons-react';
import { useMemo } from 'react';
import type { ManifestEntry } from '../../bridge/manifest';
import type { Names } from '../../bridge/names';
import type { JsonObject, Violation } from '../../bridge/wire';
import { i18n } from '../../language/i18n';
import { usePickedFile } from '../../queries/usePickedFile';
import { addText, errorsAt, uiOf, withTitles } from './form';
import { LookupWidget } from './LookupWidget';
import { MoneyField } from './MoneyField';
import { TypedInput } from './TypedInput';
import validator from './validator';

const widgets = { lookup: LookupWidget, pickedFile: PickedFileWidget };
const fields = { money: MoneyField };
const templates = {
  BaseInputTemplate: TypedInput,
  OptionalDataControlsTemplate: OptionalPart,
  TitleFieldTemplate: PartTitle,
  ArrayFieldTitleTemplate: PartTitle,
};
const defaults = { emptyObjectFields: 'skipEmptyDefaults' } as const; // an optional object stays absent

interface SchemaFieldsProps {
  schema: JsonObject | undefined;
  /** Where the ids in it are found. */
  sources?: ManifestEntry['sources'];
  values: JsonObject;
  /** The names of records, for the values that are set. */
  names?: Names;
  violations: readonly Violation[];
  onChange: (values: JsonObject) => void;
}

/** The fields of a capability's schema, for use inside a form. */
export default function SchemaFields({ schema, sources, values, names, violations, onChange }: SchemaFieldsProps) {
  const titled = useMemo(() => withTitles((schema ?? { type: 'object' }) as RJSFSchema), [schema]);
  const ui = useMemo(() => uiOf(schema, sources), [schema, sources]);
  return (
    <Form
      tagName="div"
      schema={titled}
      uiSchema={ui}
      validator={validator}
      widgets={widgets}
      fields={fields}
      templates={templates}
      experimental_defaultFormStateBehavior={defaults}
      formData={values}
      formContext={{ values, names, sources }}
      extraErrors={errorsAt(violations)}
      noHtml5Validate
      showErrorList={false}
      focusOnFirstError={false}
      onChange={({ formData }) => onChange(formData ?? {})}
    >
      {null}
    </Form>
  );
}

/** A field for a file: the application's own picker gives a token, never a path. */
function PickedFileWidget({ id, label, required, schema, onChange, rawErrors }: WidgetProps) {
  const { picked, unread, pick } = usePickedFile(String((schema as JsonObject)['x-file']));
  const error = unread?.message ?? rawErrors?.join('; ');
  return (
    <Input.Wrapper label={label} withAsterisk={required} error={error} id={id}>
      <div>
        <Button id={id} variant="default" onClick={() => pick(({ file }) => onChange(file))}>
          {picked?.name ?? i18n._('Choose a file')}
        </Button>
      </div>
    </Input.Wrapper>
  );
}

/** The placeholder of an optional part of a form, such as an address: it unfolds on demand. */
function OptionalPart({ id, schema, onAddClick, onRemoveClick }: OptionalDataControlsTemplateProps) {
  const title = schema.title ?? '';
  if (onAddClick) {
    return (
      <Button id={id} variant="default" leftSection={<IconPlus size={14} aria-hidden />} onClick={onAddClick}>
        {addText(title)}
      </Button>
    );
  }
  return (
    <Button id={id} variant="subtle" leftSection={<IconX size={14} aria-hidden />} onClick={onRemoveClick}>
      {i18n._('Leave it out')}
    </Button>
  );
}

/** The head of a part of a form: its title and, where it may be left out, the way to it. */
function PartTitle({ id, title, optionalDataControl }: Partial<TitleFieldProps>) {
  return (
    <Group justify="space-between" gap="xs" mb={4}>
      <Text id={id} fw={600}>
        {title}
      </Text>
      {optionalDataControl}
    </Group>
  );
}
