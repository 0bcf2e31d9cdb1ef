import { Textarea, TextInput } from '@mantine/core';
import type { ChangeEvent } from 'react';
import { ErrorAt } from './FieldErrors';
import type { Draft, Field } from './fields';
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
      {fields.map(({ name, label, required, placeholder, maxLength, inputMode, half, lines, description }, index) => {
        const common = {
          ...{ label, description, placeholder, maxLength, inputMode },
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
            {lines ? <Textarea {...common} rows={lines} /> : <TextInput {...common} />}
          </ErrorAt>
        );
      })}
    </div>
  );
}
