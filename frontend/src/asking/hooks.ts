import { useDebouncedValue } from '@mantine/hooks';
import {
  type InfiniteData,
  type QueryKey,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef } from 'react';
import type { CapabilityName, Request, Response } from '../door/capabilities';
import { asBusError, type BusError } from '../door/error';
import { IntentionKeys } from '../door/idempotency';
import { entry, type Manifest, type ManifestEntry, refusal } from '../door/manifest';
import type { BusEvent, Success } from '../door/wire';
import { answerKey, MANIFEST_KEY, pagesKey, useClient } from './BusProvider';
import { useMayAsk } from './frozen';

interface ReadOptions {
  source: string;
  enabled?: boolean;
}

/** The answer of a reading capability, kept until an event makes it stale. */
export function useCapability<N extends CapabilityName>(name: N, args: Request<N>, options: ReadOptions) {
  const client = useClient();
  return useQuery<Response<N>, BusError>({
    queryKey: answerKey(name, args),
    queryFn: async () => (await client.invoke(name, args, { source: options.source })).data,
    enabled: useMayAsk(options.enabled),
    placeholderData: (previous) => previous,
  });
}

/** The capabilities that answer page by page. */
export type PagedName = {
  [N in CapabilityName]: Response<N> extends { hasMore: boolean } ? N : never;
}[CapabilityName];

/** The answers of a listing capability, page after page. */
export function usePages<N extends PagedName>(name: N, args: Request<N>, options: ReadOptions) {
  const client = useClient();
  return useInfiniteQuery<Response<N>, BusError, InfiniteData<Response<N>, string>, QueryKey, string>({
    queryKey: pagesKey(name, args),
    queryFn: async ({ pageParam }) => {
      const request = pageParam ? { ...args, cursor: pageParam } : args;
      return (await client.invoke(name, request, { source: options.source })).data;
    },
    initialPageParam: '',
    getNextPageParam: (last: Response<N>) => {
      const page: { nextCursor?: string; hasMore: boolean } = last;
      return page.hasMore ? page.nextCursor : undefined;
    },
    enabled: useMayAsk(options.enabled),
    placeholderData: (previous) => previous,
  });
}

/** Everything in the pages that were read: the same list as long as they are the same, if `of` is. */
export function useItems<Page, Item>(data: InfiniteData<Page, string> | undefined, of: (page: Page) => Item[]): Item[] {
  return useMemo(() => data?.pages.flatMap(of) ?? [], [data, of]);
}

interface WriteOptions {
  source: string;
  /**
   * Set where the same call twice would hurt: a repeated try carries the same key. The name of
   * a draft that outlives the page has the key outlive it too.
   */
  once?: boolean | string;
}

/** What is done with an answer, whatever became of the part that asked. */
interface Told<N extends CapabilityName> {
  onSuccess?: (answer: Success<Response<N>>) => void;
  onError?: (error: BusError) => void;
}

/**
 * Runs a capability when asked to. Who asked may be gone when the answer comes: a button
 * whose list was read again, a dialog whose page was left. It is told all the same.
 */
export function useInvoke<N extends CapabilityName>(name: N, options: WriteOptions) {
  const client = useClient();
  const { source, once } = options;
  const keys = useIntention(typeof once === 'string' ? once : undefined);
  const told = useMemo(() => new WeakMap<Request<N>, Told<N>>(), []);
  const mutation = useMutation<Success<Response<N>>, BusError, Request<N>>({
    mutationFn: (args) =>
      once
        ? keys.call(args, (idempotencyKey) => client.invoke(name, args, { source, idempotencyKey }))
        : client.invoke(name, args, { source }),
    onSuccess: (answer, args) => told.get(args)?.onSuccess?.(answer),
    onError: (error, args) => told.get(args)?.onError?.(error),
    onSettled: (_, error) => keys.ended(error ? asBusError(error) : undefined),
  });
  const { mutate: run } = mutation;
  const mutate = useCallback(
    (args: Request<N>, then: Told<N> = {}) => {
      told.set(args, then);
      run(args);
    },
    [run, told],
  );
  return { ...mutation, mutate };
}

/** The keys of a surface, forgotten with it; beside a draft that outlives the page they do too. */
export function useIntention(draft?: string): IntentionKeys {
  const keys = useMemo(() => new IntentionKeys(draft), [draft]);
  useEffect(() => () => keys.forget(), [keys]); // a page that goes tells nobody
  return keys;
}

/**
 * What a call would come to if it were made now, or why it would be refused;
 * nothing is changed. Without arguments nothing is asked.
 */
export function usePreview<N extends CapabilityName>(name: N, args: Request<N> | undefined, source: string) {
  const client = useClient();
  const text = args && JSON.stringify(args);
  const [settled] = useDebouncedValue(text, 250); // not after every key
  return useQuery<Response<N>, BusError>({
    queryKey: ['preview', name, settled],
    queryFn: async () => (await client.invoke(name, JSON.parse(settled ?? ''), { source, dryRun: true })).data,
    enabled: useMayAsk(settled !== undefined && settled === text),
    gcTime: 0, // the world may be another one when it is asked again
    retry: false,
  });
}

/** Everything the application can do now. */
export function useManifest(): Manifest | undefined {
  return useManifestQuery().data;
}

/** Gives the manifest as it is now: what was just done may have changed what is possible. */
export function useFreshManifest(): () => Promise<Manifest> {
  const client = useClient();
  const queries = useQueryClient();
  return () => queries.fetchQuery({ queryKey: MANIFEST_KEY, queryFn: () => client.manifest() });
}

/** The manifest, and whether it is still on its way. */
export function useManifestQuery(enabled?: boolean) {
  const client = useClient();
  return useQuery<Manifest, BusError>({
    queryKey: MANIFEST_KEY,
    queryFn: () => client.manifest(),
    enabled: useMayAsk(enabled),
  });
}

/**
 * What is likely to be done next, the likeliest first, as the application ranks it;
 * asked anew whenever it is wanted, since everything that is done changes it.
 */
export function useNextActions(): ManifestEntry[] {
  const client = useClient();
  const manifest = useManifest();
  const names = useQuery<string[], BusError>({
    queryKey: ['next'],
    queryFn: () => client.next(),
    staleTime: 0,
    gcTime: 0,
  });
  return (names.data ?? []).flatMap((name) => entry(manifest, name) ?? []);
}

/** One capability's entry in the manifest: title, shortcut, availability and why not. */
export function useEntry(name: CapabilityName): ManifestEntry | undefined {
  return entry(useManifest(), name);
}

/** Why a capability cannot be used now, in the manifest's words; undefined when it can. */
export function useRefusal(name: CapabilityName): string | undefined {
  return refusal(useEntry(name));
}

/** Calls the listener on each event of one type; the listener may change between renders. */
export function useBusEvent<T extends BusEvent['type']>(
  type: T,
  listener: (event: Extract<BusEvent, { type: T }>) => void,
): void {
  const client = useClient();
  const latest = useRef(listener);
  useEffect(() => {
    latest.current = listener;
  });
  useEffect(
    () =>
      client.on('bus', (event) => {
        if (event.type === type) latest.current(event as Extract<BusEvent, { type: T }>);
      }),
    [client, type],
  );
}
