import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { i18n } from '../../language/i18n';
import { PACE, SHORTEST } from '../keys/useScans';

/** The most digits of a PIN. */
const LONGEST = 12;

/** The digits of the shortest code of goods, an EAN-8. Fewer digits are a PIN, however fast they come. */
const SHORTEST_NUMBER = 8;

interface PinInputProps extends Pick<PasswordInputProps, 'description' | 'size' | 'autoFocus' | 'error'> {
  label: string;
  value: string;
  onChange: (pin: string) => void;
  /** Why the last one was refused; what was typed is gone then, and the next can be typed. */
  refused?: object | null;
  /** The first field of a dialog. */
  first?: boolean;
}

/** Reports whether a text came as fast as from a scanner before an Enter. */
function useBurst(): (event: KeyboardEvent, text: string) => boolean {
  const burst = useRef({ keys: 0, last: Number.NEGATIVE_INFINITY });
  return ({ key, timeStamp, repeat }, text) => {
    const { keys, last } = burst.current;
    const quick = timeStamp - last <= PACE && !repeat;
    const next = key.length === 1 && !repeat ? (quick ? keys : 0) + 1 : 0;
    burst.current = { keys: key === 'Shift' ? keys : next, last: timeStamp };
    return key === 'Enter' && quick && keys >= (/\D/.test(text) ? SHORTEST : SHORTEST_NUMBER);
  };
}

/**
 * A field for a PIN: never shown unless asked for, never remembered. A scan is no attempt: the field becomes empty and
 * shows a message.
 */
export function PinInput({ label, value, onChange, refused, first, size = 'xs', error, ...rest }: PinInputProps) {
  const isScan = useBurst();
  const [scanned, setScanned] = useState(false);
  const change = (pin: string) => {
    setScanned(pin.length > LONGEST);
    onChange(pin.length > LONGEST ? '' : pin);
  };
  const field = useRef<HTMLInputElement>(null);
  const empty = useRef(onChange);
  useEffect(() => {
    empty.current = onChange;
  });
  useEffect(() => {
    if (!refused) return;
    empty.current('');
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
      visibilityToggleButtonProps={{ 'aria-label': i18n._('Show {label}', { label }) }}
      value={value}
      error={scanned ? i18n._('A scanned code is no PIN, so it was not tried. Type the PIN.') : error}
      onChange={(event) => change(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (!isScan(event, value)) return;
        event.preventDefault(); // the form is not sent
        setScanned(true);
        onChange('');
      }}
    />
  );
}
