import { type InvalidateQueryFilters, type Query, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import type { ApprovalCard } from '../bridge/approval';
import type { Client } from '../bridge/client';
import { asBusError } from '../bridge/error';
import { entry, isStaleAfter, type Manifest } from '../bridge/manifest';
import type { BusEvent } from '../bridge/wire';
import { forgetKept } from '../ui/window/useKept';
import { linkNow, linkOf, noteLink } from './link';

const ClientContext = createContext<Client | null>(null);

/** Query keys: every answer of a capability is under its name and arguments. */
export const MANIFEST_KEY = ['manifest'] as const;
/** The approval cards that are open. */
export const CARDS_KEY = ['cards'] as const;
export const answerKey = (capability: string, args: object) => ['capability', capability, args] as const;
/** An answer that is never another one for the same edition: no event makes it stale. */
export const editionKey = (edition: string, capability: string, args: object) =>
  ['edition', edition, capability, args] as const;

/** The result that a call would have, which any change may make another one. */
export const previewKey = (capability: string, args: string | undefined) => [PREVIEW, capability, args] as const;

/** The calls of a capability: while one runs, its own change makes no preview of it stale. */
export const callKey = (capability: string) => ['call', capability] as const;

const PREVIEW = 'preview';
const PAGES = 'pages';
export const pagesKey = (capability: string, args: object) => [...answerKey(capability, args), PAGES] as const;

interface BusProviderProps {
  client: Client;
  children: ReactNode;
}

/** Gives everything below it the client, and keeps its answers fresh by the events of the bus. */
export function BusProvider({ client, children }: BusProviderProps) {
  const [queries] = useState(newQueryClient);
  useEffect(
    () =>
      client.on('bus', (event) => {
        noteLink(client, event);
        refresh(queries, event);
      }),
    [client, queries],
  );
  useEffect(
    () =>
      client.on('approval', ({ type, card }) => {
        // One that closed takes no answer from now on, also not while the others are read.
        if (type === 'closed')
          queries.setQueryData<ApprovalCard[]>(CARDS_KEY, (open) =>
            open?.filter(({ approval_id }) => approval_id !== card.approval_id),
          );
        readAgain(queries, { queryKey: CARDS_KEY });
      }),
    [client, queries],
  );
  useEffect(() => readAgainByClock(queries, () => !linkNow(client).down), [client, queries]);
  return (
    <ClientContext.Provider value={client}>
      <QueryClientProvider client={queries}>{children}</QueryClientProvider>
    </ClientContext.Provider>
  );
}

/** The client this part of the page talks to. */
export function useClient(): Client {
  const client = useContext(ClientContext);
  if (!client) throw new Error('useClient outside BusProvider');
  return client;
}

function newQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: Number.POSITIVE_INFINITY, // until an event says otherwise
        networkMode: 'always', // the application is on this machine: there is no offline
        refetchOnWindowFocus: false,
        retry: (count, error) => count < 2 && asBusError(error).code === 'TRANSIENT',
      },
      mutations: { networkMode: 'always' },
    },
  });
}

/** The domain of the log, to which every invocation adds a record. */
const LOG = 'audit';

/** Marks the answers stale that an event changes. */
export function refresh(queries: QueryClient, event: BusEvent): void {
  const manifest = queries.getQueryData<Manifest>(MANIFEST_KEY);
  switch (event.type) {
    case 'missed':
      readAgain(queries);
      return;
    case 'stateChange':
      if (event.domain === 'session') {
        startAnew(queries, event);
        return;
      }
      if (event.domain === 'link') {
        const link = linkOf(event);
        // What could not be read without the link, or was read from a copy. All else is as it was.
        if (link && !link.down)
          readAgain(queries, {
            predicate: ({ state, queryKey: [, name] }) =>
              state.status === 'error' || link.copied.includes(name as string),
          });
        return;
      }
      // A lock changes no permissions: the same person comes back, to the cards that came meanwhile.
      readAgain(queries, { queryKey: event.domain === 'lock' ? CARDS_KEY : MANIFEST_KEY });
      readAgain(queries, {
        predicate: ({ queryKey: [kind, name] }) =>
          (kind === PREVIEW && !queries.isMutating({ mutationKey: callKey(`${name}`) })) ||
          (kind === 'capability' && typeof name === 'string' && isStaleAfter(manifest, name, event.domain)),
      });
      return;
    case 'invocation':
      // Reading the log leaves a record too: that one must not ask for another.
      if (entry(manifest, event.capability)?.provides?.includes(LOG)) return;
      // The list of records is long: it asks for new ones itself.
      readAgain(queries, {
        predicate: ({ queryKey: [kind, name, , form] }) =>
          kind === 'capability' && form !== PAGES && !!entry(manifest, `${name}`)?.provides?.includes(LOG),
      });
  }
}

/**
 * Reads answers again. One that is read for the first time may be from before what makes it stale: the library would
 * take it, so that read is given up.
 */
export function readAgain(queries: QueryClient, filters: InvalidateQueryFilters = {}): Promise<void> {
  for (const query of queries.getQueryCache().findAll({ ...filters, fetchStatus: 'fetching' })) {
    if (query.state.data === undefined) void query.cancel({ silent: true });
  }
  return queries.invalidateQueries(filters);
}

/** Reads the previews of a capability again, whose call was refused: nothing read them while it ran. */
export const readPreviewsAgain = (queries: QueryClient, capability: string): void =>
  void readAgain(queries, { queryKey: [PREVIEW, capability] });

/** A day begins with a quarter of an hour of UTC in every time zone. */
const QUARTER = 900_000;

/**
 * Reads answers again when a day may have begun where the application counts days, as soon as it may; the answer stops
 * it.
 */
export function readAgainByClock(queries: QueryClient, may: () => boolean): () => void {
  const part = () => Math.floor(Date.now() / QUARTER);
  let now = part();
  const tick = setInterval(() => {
    if (part() === now || !may()) return;
    now = part();
    readAgain(queries, { predicate: ({ queryKey: [kind, , , form] }) => kind === 'capability' && form !== PAGES });
  }, 10_000);
  return () => clearInterval(tick);
}

/**
 * Drops all answers and reads those on show again: another person may see other things. An event with the id of the
 * person who left says that nobody is signed in: then only what is public is asked for.
 */
function startAnew(queries: QueryClient, { ids }: Extract<BusEvent, { type: 'stateChange' }>): void {
  forgetKept();
  const manifest = queries.getQueryData<Manifest>(MANIFEST_KEY);
  const isPublic = ({ queryKey: [kind, name] }: Query) =>
    kind === MANIFEST_KEY[0] || (kind === 'capability' && entry(manifest, `${name}`)?.public);
  if (!ids?.length || !manifest) return void queries.resetQueries();
  for (const query of queries.getQueryCache().findAll({ predicate: (one) => !isPublic(one) })) query.reset();
  queries.resetQueries({ predicate: (one) => !!isPublic(one) });
}
