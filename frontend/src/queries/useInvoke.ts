import { useDebouncedValue } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type RefObject, useCallback, useMemo, useRef } from 'react';
import type { CapabilityName, Request, Response } from '../bridge/capabilities';
import { asBusError, type BusError } from '../bridge/error';
import { IdempotencyKeys } from '../bridge/idempotency';
import { entry, type Manifest } from '../bridge/manifest';
import { schemaAt } from '../bridge/schema';
import type { Success } from '../bridge/wire';
import { useUnmount } from '../ui/window/forms';
import { callKey, MANIFEST_KEY, previewKey, readPreviewsAgain, useClient } from './BusProvider';
import { useMayAsk } from './frozen';

interface WriteOptions {
  source: string;
  /**
   * Set where the same call twice would hurt: a repeated try carries the same key. With the
   * name of a draft the key outlives the page, as the draft does.
   */
  once?: boolean | string;
  /** The key of a call, by its arguments: for calls of which each is another one, also where they are alike. */
  keyOf?: (args: object) => string;
  /** Set where the last of several calls decides: each waits for the answer of the one before, from any part of the page. */
  inTurn?: boolean;
}

/** Callbacks for the answer, called even if the component is gone, all but one. */
interface AnswerHandlers<N extends CapabilityName> {
  onSuccess?: (answer: Success<Response<N>>) => void;
  /** Called after a success while the component is there: one that was closed must not close what was opened after it. */
  onDone?: (answer: Success<Response<N>>) => void;
  onError?: (error: BusError) => void;
}

/**
 * Runs a capability on demand. The callbacks are called even if the component is gone when
 * the answer comes: a button whose list was read again, a dialog whose page was left.
 */
export function useInvoke<N extends CapabilityName>(name: N, options: WriteOptions) {
  const client = useClient();
  const { source, once, keyOf, inTurn } = options;
  const keys = useIdempotencyKeys(typeof once === 'string' ? once : undefined);
  const told = useMemo(() => new WeakMap<Request<N>, AnswerHandlers<N>>(), []);
  const isThere = useIsThere();
  const queries = useQueryClient();
  const mutation = useMutation<Success<Response<N>>, BusError, Request<N>>({
    mutationKey: callKey(name),
    scope: inTurn ? { id: name } : undefined,
    mutationFn: (args) =>
      once
        ? keys.call(args, (idempotencyKey) => client.invoke(name, args, { source, idempotencyKey }))
        : client.invoke(name, args, { source, idempotencyKey: keyOf?.(args) }),
    onSuccess: (answer, args) => {
      const { onSuccess, onDone } = told.get(args) ?? {};
      onSuccess?.(answer);
      if (isThere.current) onDone?.(answer);
    },
    onError: (error, args) => {
      readPreviewsAgain(queries, name);
      told.get(args)?.onError?.(error);
    },
    onSettled: (_, error) => keys.ended(error ? asBusError(error) : undefined),
    meta: { capability: name, instead: (args: Request<N>, of: Request<N>) => told.set(args, told.get(of) ?? {}) },
  });
  const { mutate: run } = mutation;
  const mutate = useCallback(
    (args: Request<N>, then: AnswerHandlers<N> = {}) => {
      told.set(args, then);
      run(args);
    },
    [run, told],
  );
  const maxLengthAt = useCallback(
    (pointer: string) => {
      const schema = entry(queries.getQueryData<Manifest>(MANIFEST_KEY), name)?.input_schema;
      const most = schemaAt(schema, pointer)?.maxLength;
      return typeof most === 'number' ? most : undefined;
    },
    [queries, name],
  );
  return { ...mutation, mutate, capability: name, maxLengthAt };
}

function useIsThere(): RefObject<boolean> {
  const isThere = useRef(true);
  useUnmount(
    useCallback(() => {
      isThere.current = false;
    }, []),
  );
  return isThere;
}

/** The idempotency keys of a component, forgotten with it unless a call is on its way; with a draft they outlive the page. */
export function useIdempotencyKeys(draft?: string): IdempotencyKeys {
  const keys = useMemo(() => new IdempotencyKeys(draft), [draft]);
  useUnmount(useCallback(() => keys.left(), [keys])); // not called when the page itself is unloaded
  return keys;
}

/**
 * The result that a call would have now, or why it would be refused (a dry run); neither while that is not known.
 * Without arguments nothing is asked.
 */
export function usePreview<N extends CapabilityName>(name: N, args: Request<N> | undefined, source: string) {
  const client = useClient();
  const text = args && JSON.stringify(args);
  const [settled] = useDebouncedValue(text, 250); // not after every key
  const { data, error } = useQuery<Response<N>, BusError>({
    queryKey: previewKey(name, settled),
    queryFn: async () => (await client.invoke(name, JSON.parse(settled ?? ''), { source, dryRun: true })).data,
    enabled: useMayAsk(settled !== undefined && settled === text),
    gcTime: 0, // the world may be another one when it is asked again
    retry: false,
  });
  // What other arguments came to says nothing of these.
  return settled === text ? { data, error } : { data: undefined, error: null };
}
