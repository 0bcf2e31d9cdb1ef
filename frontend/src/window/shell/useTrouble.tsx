import { Button, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { type Mutation, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { BusError } from '../../door/error';
import { i18n } from '../../language/i18n';

const NOTICE = 'trouble';

/**
 * Tells when the journal could not be written, such as on a full disk or a locked file,
 * for every call. Trying again is the same request once more: what was
 * typed stays where it is, and the form that asked goes on as if it had gone through.
 */
export function useTrouble(): void {
  const queries = useQueryClient();
  useEffect(
    () =>
      queries.getMutationCache().subscribe(({ type, mutation }) => {
        if (type !== 'updated' || !mutation || mutation.state.status === 'pending') return;
        const { error } = mutation.state;
        if (mutation.state.status === 'error' && couldNotWrite(error)) show(mutation, error);
        if (mutation.state.status === 'success') notifications.hide(NOTICE);
      }),
    [queries],
  );
}

/** Whether an answer says that nothing was done because it could not be written down. */
export function couldNotWrite(error: unknown): error is BusError {
  return error instanceof BusError && error.code === 'TRANSIENT' && error.reason === 'journal';
}

function show(mutation: Mutation<unknown, unknown, unknown>, { message, recoveryHint }: BusError): void {
  const again = () => {
    notifications.hide(NOTICE);
    mutation.execute(mutation.state.variables).catch(() => undefined); // it is told again
  };
  notifications.hide(NOTICE);
  notifications.show({
    id: NOTICE,
    title: message,
    message: (
      <>
        <Text size="xs" mb="xs">
          {recoveryHint}
        </Text>
        <Button size="compact-sm" onClick={again}>
          {i18n._('Try again')}
        </Button>
      </>
    ),
    color: 'brick',
    autoClose: false,
    withBorder: true,
  });
}
