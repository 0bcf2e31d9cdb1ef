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

/** The input of a list as people fill it in: the words to search for, its order, what narrows it. Pages go by themselves. */
export function listInput({ input_schema, searchable, sortable, filterable }: ManifestEntry): JsonObject | undefined {
  const names = namesOf(input_schema);
  const words = ['query', 'text'];
  const shown = [
    ...(searchable ? words : []),
    ...(sortable ? ['sort'] : []),
    ...(filterable || Array.isArray(input_schema?.required) ? names : []),
  ].filter((name, at, all) => names.includes(name) && !['cursor', 'limit'].includes(name) && all.indexOf(name) === at);
  const properties = input_schema?.properties as JsonObject | undefined;
  return { ...input_schema, properties: Object.fromEntries(shown.map((name) => [name, properties?.[name] ?? {}])) };
}
