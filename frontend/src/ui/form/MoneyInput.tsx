import { Text, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { i18n } from '../../language/i18n';
import { minorOf, typedOf } from './money';

interface MoneyInputProps {
  label?: string;
  /** Names it where no label is shown. */
  'aria-label'?: string;
  description?: ReactNode;
  currency: string;
  /** In minor units. What is typed is shown as it was typed while it comes to this, or nothing is given. */
  value?: number;
  required?: boolean;
  autoFocus?: boolean;
  /** Why the last one was refused. */
  error?: ReactNode;
  /** Called with minor units, or undefined while the text is no amount, and with the text. */
  onChange: (minor: number | undefined, typed: string) => void;
  onEnter?: () => void;
}

/** A field for an amount of money; the text stays as it was typed. */
export function MoneyInput({
  currency,
  value,
  required,
  autoFocus,
  error,
  onChange,
  onEnter,
  ...named
}: MoneyInputProps) {
  const [own, setTyped] = useState('');
  const isOwn = value === undefined || minorOf(own, currency) === value;
  const typed = isOwn ? own : typedOf(value, currency);
  const wrong = typed.trim() !== '' && minorOf(typed, currency) === undefined;
  return (
    <TextInput
      {...named}
      inputMode="decimal"
      autoComplete="off"
      withAsterisk={required}
      aria-required={required || undefined}
      data-autofocus={autoFocus || undefined}
      rightSection={
        <Text size="xs" c="dimmed">
          {currency}
        </Text>
      }
      rightSectionWidth={44}
      error={wrong ? i18n._('Not an amount') : error}
      value={typed}
      onKeyDown={(event) => event.key === 'Enter' && onEnter?.()}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        onChange(minorOf(event.currentTarget.value, currency), event.currentTarget.value);
      }}
    />
  );
}
