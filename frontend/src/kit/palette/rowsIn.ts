import type { ManifestEntry } from '../../door/manifest';
import { namesOf } from '../../door/schema';
import type { JsonObject } from '../../door/wire';

/** The rows of the pages of a list, and the pointer to the list in each: the first member that is one. */
export function rowsIn(pages: readonly JsonObject[]): { pointer: string; rows: JsonObject[] } {
  const [name = ''] = Object.entries(pages[0] ?? {}).find(([, member]) => Array.isArray(member)) ?? [];
  const rows = pages.flatMap((page) => {
    const list = page[name];
    return Array.isArray(list) ? list.filter((row): row is JsonObject => typeof row === 'object' && row !== null) : [];
  });
  return { pointer: `/${name}`, rows };
}

/**
 * The input of a list as people fill it in: what it requires, the words to search for, its order, and where wanted what
 * else narrows it. Pages go by themselves.
 */
export function listInput({ input_schema }: ManifestEntry, narrow: boolean): JsonObject | undefined {
  const { properties = {}, required = [] } = (input_schema ?? {}) as { properties?: JsonObject; required?: string[] };
  const first = [...required, 'query', 'text', 'sort'].filter((name) => name in properties);
  const more = namesOf(input_schema).filter((name) => !first.includes(name) && name !== 'cursor' && name !== 'limit');
  const shown = narrow ? [...first, ...more] : first;
  return { ...input_schema, properties: Object.fromEntries(shown.map((name) => [name, properties[name] ?? {}])) };
}
