import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import type { QueryName, Request, Response } from '../bridge/capabilities';
import type { Client } from '../bridge/client';
import { asBusError, type BusError } from '../bridge/error';
import { pagesKey, useClient } from './BusProvider';
import { useMayAsk } from './frozen';
import { type Key, type ListOptions, type ListPage, PagedList } from './pagedList';

/** The capabilities that answer page by page. */
export type PagedName = {
  [N in QueryName]: Response<N> extends { hasMore: boolean } ? N : never;
}[QueryName];

interface PagesOptions<N extends PagedName, Row> extends Partial<ListOptions<Row>> {
  source: string;
  enabled?: boolean;
  /** The rows in an answer. */
  rowsOf: (answer: Response<N>) => readonly Row[];
  keyOf: (row: Row) => Key;
  /** Keeps the list, with the place in it, for the life of the window. */
  keep?: boolean;
}

/** Lists of the shop are short enough to be held whole, and are read when their end is near. */
const usual = { ahead: 10, held: Number.POSITIVE_INFINITY, most: 800_000 };
const nothing = PagedList.empty<unknown>();

/**
 * The answers of a listing capability as one list, read page by page. An event that makes it stale reads its visible
 * pages again. While another list is read for the first time, the one before stays and is not `fresh`.
 */
export function usePages<N extends PagedName, Row>(name: N, args: Request<N>, options: PagesOptions<N, Row>) {
  const client = useClient();
  const queries = useQueryClient();
  const queryKey = [...pagesKey(name, args), options.source]; // each component has its rows and its view
  const query = useQuery<PagedList<Row>, BusError>({
    queryKey,
    queryFn: async () => {
      const known = queries.getQueryData<PagedList<Row>>(queryKey);
      const list = known ?? new PagedList(reader(client, name, args, options), { ...usual, ...options });
      await list.refresh();
      return list;
    },
    enabled: useMayAsk(options.enabled),
    placeholderData: (previous) => previous,
    structuralSharing: false,
    retry: false, // each page is tried again by itself
    ...(options.keep && { gcTime: Number.POSITIVE_INFINITY }),
  });
  const list = query.data ?? (nothing as PagedList<Row>);
  useSyncExternalStore(list.subscribe, list.version);
  return {
    list,
    items: list.items,
    isPending: query.isPending,
    isSuccess: query.isSuccess,
    fresh: !query.isPlaceholderData,
    error: query.error ?? list.error ?? null,
    refetch: query.refetch,
  };
}

/** Retries of a page that the application cannot answer for a moment, and the first pause between them in ms. */
const TRIES = 2;
const PAUSE = 1000;

function reader<N extends PagedName, Row>(client: Client, name: N, args: Request<N>, options: PagesOptions<N, Row>) {
  const { source, rowsOf } = options;
  return async (cursor: string): Promise<ListPage<Row>> => {
    const request = cursor ? { ...args, cursor } : args;
    for (let tries = 0; ; tries += 1) {
      try {
        const { data } = await client.invoke(name, request, { source });
        const answer: Page = data;
        const next = answer.hasMore ? answer.nextCursor : undefined;
        return { rows: rowsOf(data), next, stopped: answer.searchedBack, notFound: answer.notFound };
      } catch (thrown) {
        if (tries === TRIES || asBusError(thrown).code !== 'TRANSIENT') throw thrown;
        await new Promise((resolve) => setTimeout(resolve, PAUSE * 2 ** tries));
      }
    }
  };
}

/** The common fields of the answers of listing capabilities. */
interface Page {
  hasMore: boolean;
  nextCursor?: string;
  /** The moment (ms since 1970) back to which was read, where the search paused. */
  searchedBack?: number;
  notFound?: string[];
}
