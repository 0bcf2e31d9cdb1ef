import Form from '@rjsf/mantine';
import type { RJSFSchema } from '@rjsf/utils';
import { useMemo } from 'react';
import type { ManifestEntry } from '../../bridge/manifest';
import type { Names } from '../../bridge/names';
import type { JsonObject, Violation } from '../../bridge/wire';
import { errorsAt, uiOf, withTitles } from './form';
import { LookupWidget } from './LookupWidget';
import { MoneyField } from './MoneyField';
import { OptionalPart, PartTitle } from './OptionalPart';
import { PickedFileWidget } from './PickedFileWidget';
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
