import { TextInput, type TextInputProps, UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { type KeyboardEvent, useState } from 'react';
import { locale } from '../../language/format';
import { type NumberLimits, readNumber, typedNumber } from '../../language/numbers';
import classes from './NumberField.module.css';
import { UNREADABLE } from './unreadable';

export interface NumberFieldProps extends Omit<TextInputProps, 'value' | 'onChange' | 'min' | 'max'>, NumberLimits {
  /** The text stays as it was typed while it has this value, or while there is none. */
  value: number | undefined;
  /** With so many decimals at least a value is written that was not typed here. */
  places?: number;
  /** The next key replaces the whole text. */
  replaced?: boolean;
  /** Called with the number, or undefined while there is none, and with the text. */
  onChange: (value: number | undefined, typed: string) => void;
}

/**
 * A field for a number, the only one there is. A text that cannot be read stays and has its reason at the field; until it
 * is mended its form is not sent.
 */
export function NumberField({ value, places, replaced, onChange, error, ...props }: NumberFieldProps) {
  const { decimals = 0, min, max, unit, onKeyDown, ...field } = props;
  const [own, setOwn] = useState('');
  const read = (text: string) => readNumber(text, locale, { decimals, min, max, unit });
  const isOwn = value === undefined || read(own).value === value;
  const typed = isOwn ? own : typedNumber(value, locale, places);
  const now = read(typed);
  const type = (text: string) => {
    setOwn(text);
    onChange(read(text).value, text);
  };
  const stepped = (by: number) => typedNumber((now.value ?? Math.max(0, (min ?? 0) - 1)) + by, locale);
  const canStep = (by: number) => now.reason === undefined && read(stepped(by)).reason === undefined;
  const step = (by: number) => canStep(by) && type(stepped(by));
  const arrows = (event: KeyboardEvent<HTMLInputElement>) => {
    onKeyDown?.(event);
    const by = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (decimals > 0 || by === undefined || event.defaultPrevented) return;
    event.preventDefault();
    step(by);
  };
  const select = replaced ? (event: { currentTarget: HTMLInputElement }) => event.currentTarget.select() : undefined;
  return (
    <TextInput
      {...(decimals === 0 && { rightSection: <Steps canStep={canStep} onStep={step} />, rightSectionWidth: 20 })}
      onFocus={select}
      onClick={select}
      {...field}
      inputMode={decimals > 0 ? 'decimal' : 'numeric'}
      autoComplete="off"
      {...(now.reason !== undefined && UNREADABLE)}
      error={now.reason ?? error}
      value={typed}
      onKeyDown={arrows}
      onChange={(event) => type(event.currentTarget.value)}
    />
  );
}

interface StepsProps {
  canStep: (by: number) => boolean;
  onStep: (by: number) => void;
}

/** One more and one less, for the mouse; the arrow keys do the same. */
function Steps({ canStep, onStep }: StepsProps) {
  return (
    <span className={classes.steps} data-steps aria-hidden>
      {[1, -1].map((by) => (
        <UnstyledButton
          key={by}
          tabIndex={-1}
          className={classes.step}
          disabled={!canStep(by)}
          onPointerDown={(event) => event.preventDefault()} // the focus stays
          onClick={() => onStep(by)}
        >
          {by > 0 ? <IconChevronUp size={10} /> : <IconChevronDown size={10} />}
        </UnstyledButton>
      ))}
    </span>
  );
}
