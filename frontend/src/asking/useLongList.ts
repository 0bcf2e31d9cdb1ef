import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import type { Request, Response } from '../door/capabilities';
import { asBusError } from '../door/error';
import { useKept } from '../ui/window/useKept';
import { pagesKey, useClient } from './BusProvider';
import { LongList, type LongListPage } from './longList';
import type { PagedName } from './useCapability';

interface LongListSource<N extends PagedName, Row> {
  source: string;
  /** The page of rows in an answer. */
  page: (answer: Response<N>) => LongListPage<Row>;
}

interface Known<Row> {
  key: string;
  list: LongList<Row>;
}

interface Open<Row> extends Known<Row> {
  /** The list that was shown before; it stays until this one has rows. */
  before?: Known<Row>;
}

/**
 * The answers of a listing capability as a list of any length. It is kept for the
 * life of the window, with its scroll position.
 * `fresh` is false while another list is shown until this one was read.
 */
export function useLongList<N extends PagedName, Row>(name: N, args: Request<N>, options: LongListSource<N, Row>) {
  const { source, page } = options;
  const client = useClient();
  const queries = useQueryClient();
  const key = JSON.stringify([name, args]);

  const open = (): Known<Row> => {
    const read = (cursor: string) =>
      queries.fetchQuery({
        queryKey: [...pagesKey(name, args), cursor],
        queryFn: async () => page((await client.invoke(name, cursor ? { ...args, cursor } : args, { source })).data),
        gcTime: 0, // the list holds what it needs
        retry: (count, error) => count < 2 && asBusError(error).code === 'TRANSIENT',
      });
    return { key, list: new LongList<Row>(read) };
  };
  const [kept, keep] = useKept<Known<Row>>(`list of ${source}`);
  const [now, setNow] = useState<Open<Row>>(() => (kept?.key === key ? kept : open()));
  if (now.key !== key) setNow({ ...open(), before: isShowable(now.list) ? now : now.before });

  const { list } = now;
  useSyncExternalStore(list.subscribe, list.version);
  useEffect(() => keep({ key: now.key, list: now.list }), [keep, now]);
  useEffect(() => {
    if (!list.ready) list.show(0, 0);
  }, [list]);
  const fresh = isShowable(list) || !now.before;
  const shown = fresh ? now : (now.before ?? now);
  return { list: shown.list, key: shown.key, fresh };
}

const isShowable = <Row>(list: LongList<Row>) => list.ready || list.error !== undefined;
