import { useQueries } from '@tanstack/react-query';
import type { Client } from '../bridge/client';
import { entityOf } from '../bridge/manifest';
import { keyOf, type Names } from '../bridge/names';
import type { RecordRef } from '../bridge/records';
import { visible } from '../language/readable';
import { answerKey, useClient } from './BusProvider';
import { useMayAsk } from './frozen';
import { useManifest } from './useManifest';

const NAMES = 'entity.names';

/** As many records as the application names at once. */
const MOST = 100;

/** A record with its name, as the person at the window may read it. */
export interface NamedRecord extends RecordRef {
  name: string;
}

/** The names of records as the person at the window may read them, with nothing unseen in them. */
export function useNames(records: readonly RecordRef[]): Names {
  return new Map(useNamed(records).map((record) => [keyOf(record), visible(record.name)]));
}

/**
 * Records with their names. Each name is kept until an event makes it stale; those that are not known yet are asked
 * for together. A record without a name is not in the answer.
 */
export function useNamed(records: readonly RecordRef[]): readonly NamedRecord[] {
  const client = useClient();
  const manifest = useManifest();
  const enabled = useMayAsk(manifest?.capabilities.some(({ name, available }) => name === NAMES && available) ?? false);
  const known = new Map(
    records
      .filter(({ entity }) => entityOf(manifest, entity))
      .map(({ entity, id }) => [keyOf({ entity, id }), { entity, id }]),
  );
  const sorted = [...known.values()].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  return useQueries({
    queries: sorted.map((record) => ({
      queryKey: answerKey(NAMES, record),
      queryFn: () => batchOf(client).nameOf(record),
      enabled,
    })),
    combine: (answers) =>
      answers.flatMap(({ data: name }, at) => (name && sorted[at] ? [{ ...sorted[at], name }] : [])),
  });
}

type Answer = Map<string, string>;

/** Names the records that are asked for in one turn of the event loop together. */
class Batch {
  readonly #client: Client;
  #waiting: RecordRef[] = [];
  #answer: Promise<Answer> | undefined;

  constructor(client: Client) {
    this.#client = client;
  }

  /** The name of a record; null where it has none for this person. */
  async nameOf(record: RecordRef): Promise<string | null> {
    if (this.#waiting.length === MOST) this.#answer = undefined;
    if (!this.#answer) {
      const together: RecordRef[] = [];
      this.#waiting = together;
      this.#answer = Promise.resolve().then(() => this.#ask(together));
    }
    this.#waiting.push(record);
    return (await this.#answer).get(keyOf(record)) ?? null;
  }

  async #ask(records: RecordRef[]): Promise<Answer> {
    if (this.#waiting === records) this.#answer = undefined;
    const { data } = await this.#client.invoke(NAMES, { records }, { source: 'Names' });
    return new Map(data.records.map((named) => [keyOf(named), named.name]));
  }
}

const batches = new WeakMap<Client, Batch>();

function batchOf(client: Client): Batch {
  const batch = batches.get(client) ?? new Batch(client);
  batches.set(client, batch);
  return batch;
}
