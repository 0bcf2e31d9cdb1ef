import { ActionIcon, Tooltip, VisuallyHidden } from '@mantine/core';
import { type ReactNode, useId } from 'react';

interface IconActionProps {
  label: string;
  onClick: () => void;
  /** Why it cannot be used now; the button stays reachable and says so. */
  disabledReason?: string;
  loading?: boolean;
  children: ReactNode;
}

/** A button that is only a picture, with its words beside it when it is pointed at. */
export function IconAction({ label, onClick, disabledReason, loading, children }: IconActionProps) {
  const reasonId = useId();
  const disabled = disabledReason !== undefined;
  return (
    <Tooltip label={disabled ? `${label}: ${disabledReason}` : label} multiline maw={280}>
      <ActionIcon
        aria-label={label}
        loading={loading}
        onClick={disabled ? undefined : onClick}
        aria-disabled={disabled || undefined}
        data-disabled={disabled || undefined}
        aria-describedby={disabled ? reasonId : undefined}
      >
        {children}
        {disabled && <VisuallyHidden id={reasonId}>{disabledReason}</VisuallyHidden>}
      </ActionIcon>
    </Tooltip>
  );
}
