import { type InfiniteData, type QueryKey, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { CapabilityName, Request, Response } from '../door/capabilities';
import type { BusError } from '../door/error';
import { answerKey, editionKey, pagesKey, useClient } from './BusProvider';
import { useMayAsk } from './frozen';
import { useRefreshInterval } from './useManifest';

interface ReadOptions {
  source: string;
  enabled?: boolean;
}

interface AnswerOptions extends ReadOptions {
  /** Names the state that the answer belongs to: the answer is read again when this changes, and by no event. */
  edition?: string;
}

/** The answer of a reading capability, kept until an event makes it stale; a status is asked for as often as it says. */
export function useCapability<N extends CapabilityName>(name: N, args: Request<N>, options: AnswerOptions) {
  const client = useClient();
  const { edition, source } = options;
  const seconds = useRefreshInterval(name);
  return useQuery<Response<N>, BusError>({
    queryKey: edition === undefined ? answerKey(name, args) : editionKey(edition, name, args),
    queryFn: async () => (await client.invoke(name, args, { source })).data,
    enabled: useMayAsk(options.enabled),
    refetchInterval: seconds ? seconds * 1000 : false,
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
