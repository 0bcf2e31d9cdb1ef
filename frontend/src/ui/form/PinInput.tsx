import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { i18n } from '../../language/i18n';

interface PinInputProps extends Pick<PasswordInputProps, 'description' | 'size' | 'autoFocus' | 'error'> {
  label: string;
  value: string;
  onChange: (pin: string) => void;
  /** Why the last one was refused; what was typed is gone then, and the next can be typed. */
  refused?: object | null;
  /** The first field of a dialog. */
  first?: boolean;
}

/** A field for a PIN: never shown unless asked for, never remembered. */
export function PinInput({ label, value, onChange, refused, first, size = 'xs', ...rest }: PinInputProps) {
  const field = useRef<HTMLInputElement>(null);
  const change = useRef(onChange);
  useEffect(() => {
    change.current = onChange;
  });
  useEffect(() => {
    if (!refused) return;
    change.current('');
    field.current?.focus();
  }, [refused]);
  return (
    <PasswordInput
      ref={field}
      {...rest}
      size={size}
      label={label}
      data-autofocus={first || undefined}
      inputMode="numeric"
      autoComplete="off"
      maxLength={12}
      visibilityToggleButtonProps={{ 'aria-label': i18n._('Show {label}', { label }) }}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
