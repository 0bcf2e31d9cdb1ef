import { ActionIcon, Loader, VisuallyHidden } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { keyed } from '../keys/keyed';
import { useHint } from './useHint';

interface IconActionProps {
  label: string;
  onClick: () => void;
  /** The visible hint, where it differs from the label. */
  hint?: string;
  /** Why it cannot be used now; the button stays reachable and says so. */
  disabledReason?: string;
  /** Waits for its answer: it keeps the focus, which a button that is disabled loses, and does nothing. */
  loading?: boolean;
  /** Whether what it switches is on. */
  pressed?: boolean;
  shortcut?: string;
  children: ReactNode;
}

/** A button that is only a picture, with its words beside it when it is pointed at. */
export function IconAction({ label, onClick, disabledReason, loading, pressed, shortcut, ...rest }: IconActionProps) {
  const reasonId = useId();
  const disabled = disabledReason !== undefined;
  const { pointed, hint } = useHint(disabled ? `${label}: ${disabledReason}` : (rest.hint ?? label));
  return (
    <>
      <ActionIcon
        {...pointed}
        aria-label={label}
        onClick={disabled || loading ? undefined : onClick}
        aria-disabled={disabled || loading || undefined}
        aria-busy={loading || undefined}
        data-disabled={disabled || undefined}
        aria-describedby={disabled ? reasonId : undefined}
        aria-pressed={pressed}
        {...keyed(shortcut)}
      >
        {loading ? <Loader size={14} color="currentColor" aria-hidden /> : rest.children}
        {disabled && <VisuallyHidden id={reasonId}>{disabledReason}</VisuallyHidden>}
      </ActionIcon>
      {hint}
    </>
  );
}
