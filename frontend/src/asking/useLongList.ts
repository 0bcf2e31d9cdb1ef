import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import type { Request, Response } from '../door/capabilities';
import { asBusError } from '../door/error';
import { useKept } from '../ui/window/useKept';
import { pagesKey, useClient } from './BusProvider';
import { Roll, type RollPage } from './longList';
import type { PagedName } from './useCapability';

interface RollSource<N extends PagedName, Row> {
  source: string;
  /** What of an answer is shown. */
  page: (answer: Response<N>) => RollPage<Row>;
}

interface Known<Row> {
  key: string;
  roll: Roll<Row>;
}

interface Open<Row> extends Known<Row> {
  /** What was shown before, until this one has something to show. */
  before?: Known<Row>;
}

/**
 * A listing capability's answers as a list of any length. It is kept for the
 * life of the window: whoever comes back finds the place where they were.
 * `fresh` is false while another list is shown until this one was read.
 */
export function useRoll<N extends PagedName, Row>(name: N, args: Request<N>, options: RollSource<N, Row>) {
  'use no memo'; // a roll changes in place
  const { source, page } = options;
  const client = useClient();
  const queries = useQueryClient();
  const key = JSON.stringify([name, args]);

  const open = (): Known<Row> => {
    const read = (cursor: string) =>
      queries.fetchQuery({
        queryKey: [...pagesKey(name, args), cursor],
        queryFn: async () => page((await client.invoke(name, cursor ? { ...args, cursor } : args, { source })).data),
        gcTime: 0, // the roll holds what it needs
        retry: (count, error) => count < 2 && asBusError(error).code === 'TRANSIENT',
      });
    return { key, roll: new Roll<Row>(read) };
  };
  const [kept, keep] = useKept<Known<Row>>(`roll of ${source}`);
  const [now, setNow] = useState<Open<Row>>(() => (kept?.key === key ? kept : open()));
  if (now.key !== key) setNow({ ...open(), before: isShowable(now.roll) ? now : now.before });

  const { roll } = now;
  useSyncExternalStore(roll.subscribe, roll.version);
  useEffect(() => keep({ key: now.key, roll: now.roll }), [keep, now]);
  useEffect(() => {
    if (!roll.ready) roll.show(0, 0);
  }, [roll]);
  const fresh = isShowable(roll) || !now.before;
  const shown = fresh ? now : (now.before ?? now);
  return { roll: shown.roll, key: shown.key, fresh };
}

const isShowable = <Row>(roll: Roll<Row>) => roll.ready || roll.error !== undefined;
