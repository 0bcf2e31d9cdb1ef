import { type InvalidateQueryFilters, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import type { CapabilityName } from '../bridge/capabilities';
import type { Client } from '../bridge/client';
import { asBusError } from '../bridge/error';
import type { BusEvent } from '../bridge/wire';
import { forgetKept } from '../ui/window/useKept';
import { linkNow, linkOf, noteLink } from './link';
import { type Dependencies, isStaleAfter } from './staleAfter';

const ClientContext = createContext<Client | null>(null);

/** Query keys: every answer of a capability is under its name and arguments. */
export const MANIFEST_KEY = ['manifest'] as const;
export const answerKey = (capability: string, args: object) => ['capability', capability, args] as const;
/** An answer that is never another one for the same edition: no event makes it stale. */
export const editionKey = (edition: string, capability: string, args: object) =>
  ['edition', edition, capability, args] as const;

/** The result that a call would have, which any change may make another one. */
export const previewKey = (capability: string, args: string | undefined) => [PREVIEW, capability, args] as const;

const PREVIEW = 'preview';
const PAGES = 'pages';
export const pagesKey = (capability: string, args: object) => [...answerKey(capability, args), PAGES] as const;

interface BusProviderProps {
  client: Client;
  /** What the application's answers are made of. */
  dependencies?: Dependencies;
  children: ReactNode;
}

/** Gives everything below it the client, and keeps its answers fresh by the events of the bus. */
export function BusProvider({ client, dependencies, children }: BusProviderProps) {
  const [queries] = useState(newQueryClient);
  useEffect(
    () =>
      client.on('bus', (event) => {
        noteLink(client, event);
        refresh(queries, event, dependencies);
      }),
    [client, queries, dependencies],
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

/** The capabilities that read the audit log. */
const audited: ReadonlySet<string> = new Set<CapabilityName>([
  'audit.search',
  'audit.trace',
  'audit.stats',
  'audit.verify',
]);

/** The record of a turn of the assistant, and the answer that counts them. */
const TURN: CapabilityName = 'agent.turn';
const USAGE: CapabilityName = 'assistant.usage';

/** Marks the answers stale that an event changes. */
export function refresh(queries: QueryClient, event: BusEvent, dependencies?: Dependencies): void {
  switch (event.type) {
    case 'missed':
      readAgain(queries);
      return;
    case 'stateChange':
      if (event.domain === 'session') {
        startAnew(queries);
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
      // A lock changes no permissions: the same person comes back.
      if (event.domain !== 'lock') readAgain(queries, { queryKey: MANIFEST_KEY });
      readAgain(queries, {
        predicate: ({ queryKey: [kind, name] }) =>
          kind === PREVIEW ||
          (kind === 'capability' && typeof name === 'string' && isStaleAfter(name, event.domain, dependencies)),
      });
      return;
    case 'invocation':
      // Every invocation leaves a record, reading the audit too: that one must not ask for another.
      if (audited.has(event.capability)) return;
      // The list of records is long: it asks for new ones itself.
      readAgain(queries, {
        predicate: ({ queryKey: [kind, name, , form] }) =>
          kind === 'capability' &&
          typeof name === 'string' &&
          (name.startsWith('audit.') || (name === USAGE && event.capability === TURN)) &&
          form !== PAGES,
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

/** Drops all answers and reads those on show again: another person may see other things. */
function startAnew(queries: QueryClient): void {
  forgetKept();
  queries.resetQueries();
}
