import { Button, Group, Stack } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { i18n } from '../../language/i18n';
import { Dialog } from '../page/Dialog';
import { useBegun } from '../window/forms';
import { ActionButton } from './ActionButton';
import { type Call, FieldErrors } from './FieldErrors';
import { hasUnreadable } from './unreadable';

interface FormDialogProps {
  title: string;
  children: ReactNode;
  /** The label of the submit button, and of the cancel button. */
  submit: string;
  leave?: string;
  /** Why it cannot be done yet. */
  disabledReason?: string;
  /** A destructive action, which Enter does not do at once. */
  danger?: boolean;
  color?: string;
  call: Call;
  size?: 'sm' | 'md' | 'lg' | 'xl';
  onSubmit: () => void;
  onClose: () => void;
}

/** Focuses what a form begins with as soon as it is there: Mantine's trap comes later, and keys would go elsewhere. */
function focusFirst(form: HTMLFormElement | null): void {
  form?.querySelector<HTMLElement>('[data-autofocus]')?.focus({ preventScroll: true });
}

/**
 * A dialog that asks for something and does it; a failure is told in it, at its field where it is
 * about one, and nothing that was typed is lost.
 */
export function FormDialog(props: FormDialogProps) {
  const { title, children, submit, leave = i18n._('Cancel'), disabledReason, danger, call, size = 'sm' } = props;
  useBegun(true);
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (hasUnreadable(event.currentTarget)) return;
    if (disabledReason === undefined && !call.isPending) props.onSubmit();
  };
  return (
    <Dialog onClose={props.onClose} title={title} size={size}>
      <form ref={focusFirst} onSubmit={send} noValidate>
        <Stack gap="sm">
          <FieldErrors call={call}>{children}</FieldErrors>
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={props.onClose} data-autofocus={danger || undefined}>
              {leave}
            </Button>
            <ActionButton
              type="submit"
              color={danger ? 'brick' : props.color}
              loading={call.isPending}
              {...{ disabledReason }}
            >
              {submit}
            </ActionButton>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
