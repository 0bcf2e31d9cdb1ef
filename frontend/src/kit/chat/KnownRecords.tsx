import { createContext, type ReactNode, useMemo } from 'react';
import type { Manifest } from '../../bridge/manifest';
import type { RecordRef } from '../../bridge/records';
import { useManifest } from '../../queries/useManifest';
import { recordsInResult } from '../palette/resultRows';
import type { Called, Thread } from './thread';

/** The records that a conversation knows, by the words that refer to them. */
export type Known = ReadonlyMap<string, RecordRef>;

const none: Known = new Map();

export const KnownRecords = createContext<Known>(none);

/** Only the latest records are known, so that a long conversation stays fast. */
const MOST = 300;

interface Read {
  manifest: Manifest | undefined;
  records: readonly RecordRef[];
}

const read = new WeakMap<Called, Read>();

function recordsOf(manifest: Manifest | undefined, call: Called): readonly RecordRef[] {
  const before = read.get(call);
  if (before && before.manifest === manifest) return before.records;
  const records = call.found ? recordsInResult(manifest, { capability: call.capability, data: call.found }) : [];
  read.set(call, { manifest, records });
  return records;
}

/** Lets what is said in a conversation link to the records that its calls found. */
export function KnowingRecords({ items, children }: { items: Thread['items']; children: ReactNode }) {
  const manifest = useManifest();
  const all = items.flatMap((item) => (item.kind === 'call' ? recordsOf(manifest, item) : []));
  const records = all.slice(-MOST);
  const key = records.map(({ entity, id }) => `${entity} ${id}`).join('\n');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key says all of them
  const known = useMemo(() => {
    const all = records.flatMap((record): [string, RecordRef][] => {
      const { id } = record;
      return id.startsWith('#')
        ? [
            [id, record],
            [id.slice(1), record], // the number of an order as people write it
          ]
        : [[id, record]];
    });
    const words = new Map(all);
    for (const [word, { entity }] of all) {
      const known = words.get(word);
      if (known && known.entity !== entity) words.delete(word); // it is ambiguous
    }
    return words;
  }, [key]);
  return <KnownRecords value={known}>{children}</KnownRecords>;
}
