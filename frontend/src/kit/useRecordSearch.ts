import { useQueries } from '@tanstack/react-query';
import { entry, type Manifest } from '../bridge/manifest';
import { at, propertyOf } from '../bridge/schema';
import type { Json, JsonObject } from '../bridge/wire';
import { answerKey, useClient } from '../queries/BusProvider';
import { useMayAsk } from '../queries/frozen';
import { useManifest } from '../queries/useManifest';
import { having } from '../ui/list/choices';
import { useDomain } from './domain';
import { choicesIn, type NamedChoice } from './form/fields';

/** As many records of one kind as are offered. */
const SHOWN = 8;

/** A list of records of one kind that can be asked for as it is. */
interface Searchable {
  type: string;
  title: string;
  display?: string;
  capability: string;
  pointer: string;
  /** What it takes: words, how many records to find, and whether typing errors are forgiven. */
  takes: { query: boolean; limit: boolean; forgiving: boolean };
}

/** Of each kind of record the first list that requires no arguments. */
export function searchableLists(manifest: Manifest | undefined): Searchable[] {
  return (manifest?.entities ?? []).flatMap(({ type, title, display, sources }) => {
    for (const source of sources) {
      const [capability = '', pointer = ''] = source.split('#');
      const known = entry(manifest, capability);
      const { required } = known?.input_schema ?? {};
      if (!known?.available || (Array.isArray(required) && required.length > 0)) continue;
      const has = (name: string) => propertyOf(known.input_schema, name) !== undefined;
      const takes = { query: has('query'), limit: has('limit'), forgiving: has('forgiving') };
      return [{ type, title, display, capability, pointer, takes }];
    }
    return [];
  });
}

/** The records of every kind whose names have the words, by the titles of the kinds. Without words none is sought. */
export function useRecordSearch(words: string, source: string) {
  const client = useClient();
  const { distinguishing } = useDomain();
  const lists = searchableLists(useManifest());
  const enabled = useMayAsk(words !== '');
  const asked = [...new Map(lists.map((list) => [list.capability, list])).values()]; // one may list several kinds
  const answers = useQueries({
    queries: asked.map(({ capability, takes }) => {
      const args: JsonObject = takes.query
        ? { query: words, ...(takes.limit && { limit: SHOWN }), ...(takes.forgiving && { forgiving: true }) }
        : {};
      return {
        queryKey: answerKey(capability, args),
        queryFn: async () => (await client.invokeByName<Json>(capability, args, { source })).data,
        enabled,
      };
    }),
  });
  const answerOf = ({ capability }: Searchable) =>
    answers[asked.findIndex((one) => one.capability === capability)]?.data;
  const found = lists.flatMap((list) => {
    const { type, title, display, pointer, takes } = list;
    const records = at(answerOf(list), pointer);
    const choices = choicesIn(records, distinguishing, display);
    const items = (takes.query ? choices : (having(choices, words) ?? [])).map((item) => ({ ...item, entity: type }));
    return words === '' ? [] : [{ title, items }];
  });
  const without = asked.flatMap((list) => (list.takes.query ? [missingIn(answerOf(list))] : []));
  return {
    groups: grouped(found),
    /** The words that no record of any kind has, where nothing was found. */
    missing: without[0]?.filter((word) => without.every((words) => words.includes(word))),
    busy: answers.some(({ isFetching }) => isFetching),
    problem: answers.every(({ error }) => error) ? answers[0]?.error?.message : undefined,
  };
}

/** The words that no record has, as a search that found nothing says. */
export function missingIn(answer: Json | undefined): string[] {
  const words = at(answer, '/notFound');
  return Array.isArray(words) ? words.filter((word) => typeof word === 'string') : [];
}

/** A record that was found. */
export interface Found extends NamedChoice {
  entity: string;
}

/** The records by group, none of them twice: two kinds may have the same records. */
function grouped(found: readonly { title: string; items: readonly Found[] }[]) {
  const seen = new Set<string>();
  return found.flatMap(({ title, items }) => {
    const some = items.filter(({ value }) => !seen.has(value)).slice(0, SHOWN);
    for (const { value } of some) seen.add(value);
    return some.length > 0 ? [{ group: title, items: some }] : [];
  });
}
