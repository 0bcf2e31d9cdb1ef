import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { type Mutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { BusError } from '../../bridge/error';
import { putAt } from '../../bridge/schema';
import type { Json, JsonObject } from '../../bridge/wire';
import { i18n } from '../../language/i18n';
import { translateFromGo } from '../../language/translateFromGo';

const NOTICE = 'trouble';

/**
 * Offers the way on from a failure of any call, and the form that asked goes on as if it had
 * gone through at once. Where the journal could not be written, such as on a full disk, it is
 * the same request once more; where a refusal has choices, the request with one of them.
 */
export function useTrouble(): void {
  const queries = useQueryClient();
  const failed = useRef<unknown>(undefined);
  useEffect(
    () =>
      queries.getMutationCache().subscribe(({ type, mutation }) => {
        if (type !== 'updated' || !mutation || mutation.state.status === 'pending') return;
        const { error } = mutation.state;
        if (mutation.state.status === 'error' && error instanceof BusError) {
          const ways = couldNotWrite(error) ? [again(mutation)] : waysOf(mutation, error);
          if (ways.length > 0) {
            failed.current = capabilityOf(mutation);
            show(mutation, error, ways);
          }
        }
        // What else went well, such as another size of the text, does not do what failed.
        if (mutation.state.status === 'success' && capabilityOf(mutation) === failed.current)
          notifications.hide(NOTICE);
      }),
    [queries],
  );
}

const capabilityOf = ({ options }: Mutation<unknown, unknown, unknown>) => options.meta?.capability;

/** Whether an answer says that nothing was done because it could not be written down. */
export function couldNotWrite(error: unknown): error is BusError {
  return error instanceof BusError && error.code === 'TRANSIENT' && error.reason === 'journal';
}

type Failed = Mutation<unknown, unknown, unknown>;

/** A button of the notice, and the arguments that it calls with. */
interface Way {
  title: string;
  args: unknown;
}

function again({ state }: Failed): Way {
  return { title: i18n._('Try again'), args: state.variables };
}

/**
 * The ways of the first choice: a request that lacks several asks for them one after the other.
 * None where the form has them itself.
 */
function waysOf({ state, options }: Failed, { choices }: BusError): Way[] {
  const [choice] = choices;
  const before = state.variables;
  if (!choice || options.meta?.offersChoices || typeof before !== 'object') return [];
  return choice.options.map(({ value, title }) => {
    const args = putAt(before as JsonObject, `/${choice.field}`, value as Json) as JsonObject;
    (options.meta?.instead as ((args: object, of: unknown) => void) | undefined)?.(args, before);
    return { title: translateFromGo(title), args };
  });
}

function show(mutation: Failed, { message, recoveryHint }: BusError, ways: Way[]): void {
  const take = ({ args }: Way) => {
    notifications.hide(NOTICE);
    mutation.execute(args).catch(() => undefined); // it is told again
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
        <Group gap="xs">
          {ways.map((way) => (
            <Button key={way.title} size="compact-sm" onClick={() => take(way)}>
              {way.title}
            </Button>
          ))}
        </Group>
      </>
    ),
    color: 'brick',
    autoClose: false,
    withBorder: true,
  });
}
