import { Button, type ButtonProps, VisuallyHidden } from '@mantine/core';
import { type ReactNode, type Ref, useId } from 'react';
import { keyed } from '../keys/keyed';
import { useHint } from './useHint';

interface ActionButtonProps extends ButtonProps {
  ref?: Ref<HTMLButtonElement>;
  children: ReactNode;
  onClick?: () => void;
  /** Sends the form it is in, instead. */
  type?: 'submit';
  /** Why it cannot be used now; the button stays reachable and says so. */
  disabledReason?: string;
  /** Called when it is pressed all the same: the reason may be gone, and the page not know of it yet. */
  onTry?: () => void;
  shortcut?: string;
}

/** A button that, when it cannot be used, can still be found and says why. */
export function ActionButton({ children, onClick, type, disabledReason, onTry, shortcut, ...rest }: ActionButtonProps) {
  const reasonId = useId();
  const disabled = disabledReason !== undefined;
  const { pointed, hint } = useHint(disabledReason);
  return (
    <>
      <Button
        {...rest}
        {...pointed}
        type={disabled ? 'button' : (type ?? 'button')}
        onClick={disabled ? onTry : onClick}
        aria-disabled={disabled || undefined}
        data-disabled={disabled || undefined}
        aria-describedby={disabled ? reasonId : undefined}
        {...keyed(shortcut)}
      >
        {children}
        {disabled && <VisuallyHidden id={reasonId}>{disabledReason}</VisuallyHidden>}
      </Button>
      {hint}
    </>
  );
}
