import {
  Button,
  Checkbox,
  Group,
  Input,
  MultiSelect,
  PasswordInput,
  TagsInput,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { ManifestEntry } from '../../bridge/manifest';
import type { Names } from '../../bridge/names';
import { enumOf, insideOf, namesOf, numbersOf } from '../../bridge/schema';
import type { Json, JsonObject } from '../../bridge/wire';
import { i18n } from '../../language/i18n';
import { own, putOwn } from '../../language/own';
import { translateFromGo } from '../../language/translateFromGo';
import { usePickedFile } from '../../queries/usePickedFile';
import { DayInput } from '../../ui/form/DayInput';
import { EditableRows, omitText } from '../../ui/form/EditableRows';
import { useFieldAt } from '../../ui/form/FieldErrors';
import { MoneyInput } from '../../ui/form/MoneyInput';
import { NumberField } from '../../ui/form/NumberField';
import { Select } from '../../ui/form/Select';
import { useCurrency } from '../domain';
import { addText, entryOf, fieldOf, isRequired, kindOf, labelOf } from './fields';
import { type FormAround, LookupField } from './LookupField';
import classes from './SchemaFields.module.css';
import { useEntryRows, useMapRows } from './useEntryRows';

/** A text that may have so many characters has several lines. */
const LONG = 1000;

/** So many decimals may a number have that is no whole one. */
const DECIMALS = 6;

interface SchemaFieldsProps {
  schema: JsonObject | undefined;
  /** Where the ids in it are found. */
  sources?: ManifestEntry['sources'];
  values: JsonObject;
  /** The names of records, for the values that are set. */
  names?: Names;
  /** The JSON Pointer of the values among the arguments. */
  at?: string;
  onChange: (values: JsonObject) => void;
}

/** The fields of a capability's schema, for use inside a form. */
export default function SchemaFields({ schema, sources, values, names, at = '', onChange }: SchemaFieldsProps) {
  return <Fields {...{ schema: schema ?? {}, values, at, onChange }} form={{ sources, values, names }} />;
}

interface FieldsProps {
  schema: JsonObject;
  form: FormAround;
  values: JsonObject;
  at: string;
  onChange: (values: JsonObject) => void;
}

/** The fields of an object. */
function Fields({ schema, form, values, at, onChange }: FieldsProps) {
  return (
    <div className={classes.fields}>
      {namesOf(schema).map((name) => (
        <Field
          key={name}
          {...{ name, form, schema: fieldOf(schema, name), pointer: insideOf(at, name) }}
          required={isRequired(schema, name)}
          value={own(values, name)}
          onChange={(value) => onChange(withValue(values, name, value))}
        />
      ))}
    </div>
  );
}

/** The values with another one of that name; undefined leaves it out. */
function withValue(values: JsonObject, name: string, value: Json | undefined): JsonObject {
  const next = Object.fromEntries(Object.entries(values).filter(([other]) => other !== name));
  if (value !== undefined) putOwn(next, name, value);
  return next;
}

interface FieldProps {
  name: string;
  schema: JsonObject;
  form: FormAround;
  pointer: string;
  required: boolean;
  value: Json | undefined;
  onChange: (value: Json | undefined) => void;
}

/** One field, as its schema asks for it. */
function Field(props: FieldProps) {
  switch (kindOf(props.name, props.schema, props.form.sources)) {
    case 'hidden':
      return null;
    case 'money':
      return <MoneyOrPart {...props} />;
    case 'part':
      return <Part {...props} />;
    case 'list':
      return <List {...props} />;
    case 'map':
      return <TextMap {...props} />;
    default:
      return <Simple {...props} />;
  }
}

/** The label, the description and the error of a field. */
function useCommon({ name, schema, pointer, required }: FieldProps) {
  const { description } = schema;
  return {
    ...useFieldAt(pointer),
    label: labelOf(name, schema),
    description: typeof description === 'string' ? description : undefined,
    withAsterisk: required,
    'aria-required': required || undefined,
  };
}

const textIn = (value: Json | undefined) => (value === undefined || value === null ? '' : String(value));
const listIn = (value: Json | undefined): Json[] => (Array.isArray(value) ? value : []);
const objectIn = (value: Json | undefined): JsonObject | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
const limitIn = (limit: Json | undefined) => (typeof limit === 'number' ? limit : undefined);

/** A field with one control. */
function Simple(props: FieldProps) {
  const { name, schema, form, required, value, onChange } = props;
  const common = useCommon(props);
  const typed = { ...common, autoComplete: 'off', maxLength: limitIn(schema.maxLength), value: textIn(value) };
  const onType = ({ currentTarget }: { currentTarget: { value: string } }) =>
    onChange(currentTarget.value === '' ? undefined : currentTarget.value);
  switch (kindOf(name, schema, form.sources)) {
    case 'lookup':
      return <LookupField {...common} {...{ schema, form, onChange }} value={textIn(value) || undefined} />;
    case 'file':
      return <PickedFile {...common} kind={textIn(schema['x-file'])} onChange={onChange} />;
    case 'choice':
      return (
        <Select
          {...common}
          searchable
          selectFirstOptionOnChange
          clearable={!required}
          data={choicesIn(props)}
          value={value === undefined ? null : String(value)}
          onChange={(text) => onChange(numbersIn(props).find((number) => String(number) === text) ?? text ?? undefined)}
        />
      );
    case 'choices':
      return (
        <MultiSelect
          {...common}
          size="xs"
          data={enumOf(asField(entryOf(schema)), 'field').map(choiceOf)}
          value={listIn(value).map(String)}
          onChange={(chosen) => onChange(chosen.length > 0 ? chosen : undefined)}
        />
      );
    case 'flag':
      return (
        <Checkbox
          {...{ ...common, withAsterisk: undefined }}
          size="xs"
          checked={value === true}
          onChange={({ currentTarget }) => onChange(currentTarget.checked)}
        />
      );
    case 'number':
      return (
        <NumberField
          {...{ ...common, min: limitIn(schema.minimum), max: limitIn(schema.maximum) }}
          placeholder={textIn(schema.default) || undefined}
          decimals={schema.type === 'number' ? DECIMALS : 0}
          value={typeof value === 'number' ? value : undefined}
          onChange={(next, text) => onChange(next ?? (text.trim() === '' ? undefined : null))} // null is refused
        />
      );
    case 'day':
      return <DayInput {...common} value={textIn(value)} onChange={(day) => onChange(day || undefined)} />;
    case 'texts':
      return (
        <TagsInput
          {...common}
          size="xs"
          value={listIn(value).map(String)}
          onChange={(texts) => onChange(texts.length > 0 ? texts : undefined)}
        />
      );
    case 'secret':
      return (
        <PasswordInput
          {...typed}
          size="xs"
          visibilityToggleButtonProps={{ 'aria-label': i18n._('Show {label}', { label: common.label }) }}
          onChange={onType}
        />
      );
    default:
      if (Number(schema.maxLength) >= LONG) return <Textarea {...typed} autosize minRows={3} onChange={onType} />;
      return <TextInput {...typed} inputMode={schema.format === 'email' ? 'email' : undefined} onChange={onType} />;
  }
}

const asField = (schema: JsonObject): JsonObject => ({ properties: { field: schema } });
const choiceOf = (value: string) => ({ value, label: translateFromGo(value) });
const numbersIn = ({ schema }: FieldProps) => numbersOf(asField(schema), 'field');

function choicesIn(props: FieldProps) {
  return [...enumOf(asField(props.schema), 'field'), ...numbersIn(props).map(String)].map(choiceOf);
}

/** An amount as people write it, in the currency at hand; without a currency its two fields. */
function MoneyOrPart(props: FieldProps) {
  const usual = useCurrency();
  const { 'aria-required': _, withAsterisk: required, ...common } = useCommon(props);
  const { amount, currency = usual } = objectIn(props.value) ?? {};
  if (typeof currency !== 'string') return <Part {...props} />;
  return (
    <MoneyInput
      {...common}
      {...{ currency, required }}
      value={typeof amount === 'number' ? amount : undefined}
      onChange={
        (minor, typed) =>
          props.onChange(typed.trim() === '' && !required ? undefined : { amount: minor ?? null, currency }) // null is refused
      }
    />
  );
}

/** An object: an optional one unfolds on demand. */
function Part(props: FieldProps) {
  const { name, schema, form, pointer, required, value, onChange } = props;
  const title = labelOf(name, schema);
  const values = objectIn(value);
  if (!values && !required) {
    return (
      <Group>
        <Button variant="default" leftSection={<IconPlus size={14} aria-hidden />} onClick={() => onChange({})}>
          {addText(title)}
        </Button>
      </Group>
    );
  }
  const leave = !required && (
    <Button variant="subtle" leftSection={<IconX size={14} aria-hidden />} onClick={() => onChange(undefined)}>
      {i18n._('Leave it out')}
    </Button>
  );
  return (
    <Block title={title} action={leave}>
      <Fields {...{ schema, form, at: pointer, onChange }} values={values ?? {}} />
    </Block>
  );
}

/** A part of a form under its title. */
function Block({ title, action, children }: { title: string; action?: ReactNode; children: ReactNode }) {
  return (
    <fieldset aria-label={title} className={classes.block}>
      <Group justify="space-between" gap="xs">
        <Text fw={600}>{title}</Text>
        {action}
      </Group>
      {children}
    </fieldset>
  );
}

/** A list of parts or of records, which grows and shrinks. */
function List({ name, schema, form, pointer, required, value, onChange }: FieldProps) {
  const entry = entryOf(schema);
  const { rows, change, omit, add } = useEntryRows(listIn(value), required && !value, onChange);
  const title = labelOf(name, schema);
  return (
    <Block title={title}>
      <EditableRows
        label={title}
        className={classes.rows}
        rows={rows}
        omitText={() => omitText('')}
        onOmit={omit}
        adding={{ text: i18n._('One more'), onAdd: add }}
      >
        {({ row, entry: value }, index) =>
          kindOf('', entry, form.sources) === 'part' ? (
            <Fields
              {...{ form, schema: entry, at: `${pointer}/${index}` }}
              values={objectIn(value) ?? {}}
              onChange={(next) => change(row, next)}
            />
          ) : (
            <Field
              {...{ form, value, name: title, schema: { title, ...entry }, pointer: `${pointer}/${index}` }}
              required={false}
              onChange={(next) => change(row, next)}
            />
          )
        }
      </EditableRows>
    </Block>
  );
}

/** Texts by names that are typed too. */
function TextMap({ name, schema, value, onChange }: FieldProps) {
  const { rows, change, omit, add } = useMapRows(objectIn(value) ?? {}, onChange);
  const title = labelOf(name, schema);
  return (
    <Block title={title}>
      <EditableRows
        label={title}
        className={classes.rows}
        rows={rows}
        omitText={({ key }) => omitText(key)}
        onOmit={omit}
        adding={{ text: i18n._('One more'), onAdd: add }}
      >
        {({ row, key, text }) => (
          <Group gap="xs" grow>
            <TextInput
              label={i18n._('Name')}
              value={key}
              onChange={(event) => change(row, { key: event.currentTarget.value })}
            />
            <TextInput
              label={i18n._('Value')}
              value={text}
              onChange={(event) => change(row, { text: event.currentTarget.value })}
            />
          </Group>
        )}
      </EditableRows>
    </Block>
  );
}

interface PickedFileProps {
  label: string;
  withAsterisk: boolean;
  error?: ReactNode;
  kind: string;
  onChange: (token: string) => void;
}

/** A field for a file: the application's own picker gives a token, never a path. */
function PickedFile({ label, withAsterisk, error, kind, onChange }: PickedFileProps) {
  const { picked, unread, pick } = usePickedFile(kind);
  return (
    <Input.Wrapper {...{ label, withAsterisk }} labelElement="div" error={unread?.message ?? error}>
      <div>
        <Button
          variant="default"
          aria-label={picked ? undefined : label}
          onClick={() => pick(({ file }) => onChange(file))}
        >
          {picked?.name ?? i18n._('Choose a file')}
        </Button>
      </div>
    </Input.Wrapper>
  );
}
