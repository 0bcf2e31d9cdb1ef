import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { minorDigits } from '../../language/amounts';
import { NumberField } from './NumberField';

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
export function MoneyInput(props: MoneyInputProps) {
  const { currency, value, required, autoFocus, onChange, onEnter, ...field } = props;
  const digits = minorDigits(currency);
  const unit = 10 ** digits;
  return (
    <NumberField
      {...field}
      decimals={digits}
      places={digits}
      withAsterisk={required}
      aria-required={required || undefined}
      data-autofocus={autoFocus || undefined}
      rightSection={
        <Text size="xs" c="dimmed">
          {currency}
        </Text>
      }
      rightSectionWidth={44}
      value={value === undefined ? undefined : value / unit}
      onKeyDown={(event) => event.key === 'Enter' && onEnter?.()}
      onChange={(amount, typed) => onChange(amount === undefined ? undefined : Math.round(amount * unit), typed)}
    />
  );
}
