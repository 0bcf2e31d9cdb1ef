import { Textarea, TextInput } from '@mantine/core';
import { type ChangeEvent, useEffect, useMemo, useRef, useState } from 'react';
import { ErrorAt } from './FieldErrors';
import type { Draft, Field } from './fields';
import { NumberField } from './NumberField';
import { Select } from './Select';
import classes from './TextFields.module.css';

interface TextFieldsProps<K extends string> {
  /** The JSON pointer of the object that holds them. */
  at: string;
  fields: readonly Field<K>[];
  draft: Draft<K>;
  onChange: (draft: Draft<K>) => void;
  /** The first one takes the focus when its dialog opens. */
  first?: boolean;
}

/** The fields of a form that are texts. */
export function TextFields<K extends string>({ at, fields, draft, onChange, first }: TextFieldsProps<K>) {
  return (
    <div className={classes.fields}>
      {fields.map(({ name, required, half, lines, choices, number, ...field }, index) => {
        const { label, placeholder, inputMode, description } = field;
        const common = {
          ...{ label, description, placeholder, inputMode },
          withAsterisk: required,
          'aria-required': required || undefined,
          autoComplete: 'off',
          'data-autofocus': (first && index === 0) || undefined,
          wrapperProps: { 'data-half': half || undefined },
          value: draft[name],
          onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
            onChange({ ...draft, [name]: event.currentTarget.value }),
        };
        return (
          <ErrorAt key={name} pointer={`${at}/${name}`}>
            {choices ? (
              <ChoiceField
                {...{ label, description, choices }}
                withAsterisk={required}
                half={half}
                value={draft[name]}
                onChange={(value) => onChange({ ...draft, [name]: value })}
              />
            ) : lines ? (
              <Textarea {...common} rows={lines} />
            ) : number ? (
              <NumberField
                {...{ ...common, ...number }}
                value={draft[name] === '' ? undefined : Number(draft[name])}
                onChange={(value) => onChange({ ...draft, [name]: value === undefined ? '' : String(value) })}
              />
            ) : (
              <TextInput {...common} />
            )}
          </ErrorAt>
        );
      })}
    </div>
  );
}

interface ChoiceFieldProps extends Pick<Field, 'label' | 'description' | 'half'> {
  choices: () => { value: string; label: string }[];
  withAsterisk?: boolean;
  value: string;
  onChange: (value: string) => void;
}

/**
 * One of many, found by typing; a value that is not among them stays as it is. A value that arrives while the person is
 * in the field is replaced by typing, too, and waits while they type.
 */
function ChoiceField({ choices, value, half, onChange, ...field }: ChoiceFieldProps) {
  const known = useMemo(choices, [choices]);
  const input = useRef<HTMLInputElement>(null);
  const [held, setHeld] = useState<string>(); // the value when the person began to type
  const [search, setSearch] = useState('');
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text is in the field
  useEffect(() => {
    if (held === undefined && document.activeElement === input.current) input.current?.select();
  }, [search, held]);
  const data = known.some((one) => one.value === value) || value === '' ? known : [{ value, label: value }, ...known];
  return (
    <Select
      {...field}
      searchable
      selectFirstOptionOnChange
      allowDeselect={false}
      limit={60}
      data={data}
      wrapperProps={{ 'data-half': half || undefined }}
      ref={input}
      value={(held ?? value) || null}
      onClick={({ currentTarget }) => currentTarget.select()} // typing searches anew
      onInput={() => setHeld((now) => now ?? value)}
      onSearchChange={setSearch}
      onBlur={() => setHeld(undefined)}
      onChange={(next) => {
        setHeld(undefined);
        if (next) onChange(next);
      }}
    />
  );
}
