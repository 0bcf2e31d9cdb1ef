import type { Places, RecordRef } from './records';
import { insideOf } from './schema';
import type { Json } from './wire';

/** Names of records by kind and id, see keyOf: records of two kinds may have the same id. */
export type Names = ReadonlyMap<string, string>;

export const keyOf = ({ entity, id }: RecordRef) => `${entity} ${id}`;

/** The name of a record; undefined where it has none, or where there is no record. */
export function nameOf(names: Names, record: RecordRef | undefined): string | undefined {
  return record && names.get(keyOf(record));
}

/** The names of the records of all kinds with an id. */
export function namesOfId(names: Names, id: string): string[] {
  return [...names].flatMap(([key, name]) => (key.slice(key.indexOf(' ') + 1) === id ? [name] : []));
}

/** Replaces the ids of records by their names, at their places in a value alone. */
export function withNames(value: Json | undefined, places: Places, names: Names, pointer = ''): Json | undefined {
  if (typeof value !== 'object' || value === null) return nameOf(names, places.get(pointer)) ?? value;
  const named = (part: Json | undefined, name: string | number) =>
    withNames(part, places, names, insideOf(pointer, String(name))) ?? null;
  if (Array.isArray(value)) return value.map((item, at) => named(item, at));
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, named(part, name)]));
}
