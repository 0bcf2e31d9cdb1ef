import { type Entity, entityOf, entry, type Manifest } from '../../bridge/manifest';
import { entityByName, linkOf, type RecordRef } from '../../bridge/records';
import { at } from '../../bridge/schema';
import type { Json, JsonObject } from '../../bridge/wire';

/** What a result shows: the record that it is, and the rows in it. */
export interface ResultRows {
  /** The kind of the record; absent where the result is none. */
  record?: string;
  /** The list in the result, and its rows. */
  pointer: string;
  rows: JsonObject[];
}

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * What a result has to show, by what the application declares: a record by the kind that is read so, and of its lists the
 * one whose rows are records; else one whose rows have names; else the longest.
 */
export function resultRows(manifest: Manifest | undefined, capability: string, data: JsonObject): ResultRows {
  const kinds = manifest?.entities ?? [];
  const record = typeof data.id === 'string' ? kinds.find(({ get }) => get === capability)?.type : undefined;
  const lists = Object.entries(data).flatMap(([name, member]) => {
    const rows = Array.isArray(member) ? member.filter(isObject) : [];
    return rows.length > 0 ? [{ pointer: `/${name}`, rows }] : [];
  });
  const ofKind = ({ pointer }: ResultRows) =>
    kinds.some(({ sources, link }) => link && sources.includes(`${capability}#${pointer}`));
  const named = ({ rows }: ResultRows) => rows.every(({ name, title }) => name !== undefined || title !== undefined);
  const longest = lists.toSorted((a, b) => b.rows.length - a.rows.length)[0];
  const list = lists.find(ofKind) ?? lists.find(named) ?? longest;
  return { record, pointer: list?.pointer ?? '/', rows: list?.rows ?? [] };
}

/** The rows of all pages of a list: those of the list that its first page shows. */
export function rowsOfPages(
  manifest: Manifest | undefined,
  capability: string,
  pages: readonly JsonObject[],
): ResultRows {
  const [first = {}, ...more] = pages;
  const { pointer, rows } = resultRows(manifest, capability, first);
  const others = more.flatMap((page) => {
    const list = at(page, pointer);
    return Array.isArray(list) ? list.filter(isObject) : [];
  });
  return { pointer, rows: [...rows, ...others] };
}

/** What a row of a call says: the action by its title, and the sentence that says what it does; undefined for another row. */
export function callText(manifest: Manifest | undefined, { capability, summary }: JsonObject): string | undefined {
  const title = typeof capability === 'string' ? entry(manifest, capability)?.title : undefined;
  return title && typeof summary === 'string' && summary !== '' ? `${title}: ${summary}` : title;
}

/** The kind of the rows of a list: as the list says, else as all lists of that name do. */
export function kindOfRows(manifest: Manifest | undefined, capability: string, pointer: string): Entity | undefined {
  const kinds = manifest?.entities ?? [];
  const own = kinds.find(({ sources }) => sources.includes(`${capability}#${pointer}`));
  const alike = kinds.filter(({ sources }) => sources.some((source) => source.endsWith(`#${pointer}`)));
  return own ?? (alike.length === 1 ? alike[0] : undefined);
}

/** The page of a row: of its own record, else of the first one that it names. */
export function linkOfRow(manifest: Manifest | undefined, kind: Entity | undefined, row: JsonObject) {
  const own = kind && typeof row.id === 'string' ? linkOf(manifest, { entity: kind.type, id: row.id }) : undefined;
  return own ?? namedIn(manifest, row).flatMap((record) => linkOf(manifest, record) ?? [])[0];
}

/** The records that a thing names in fields such as "customerId", or has in it under their kind. */
function namedIn(manifest: Manifest | undefined, thing: JsonObject): RecordRef[] {
  return Object.entries(thing).flatMap(([field, value]) => {
    const inner = isObject(value) && typeof value.id === 'string' ? value.id : undefined;
    const entity = inner ? entityOf(manifest, field)?.type : entityByName(manifest, field);
    const id = inner ?? value;
    return entity && typeof id === 'string' && id !== '' ? [{ entity, id }] : [];
  });
}

/** The records with pages that a result tells of: itself, the rows of its lists, and those that these name. */
export function recordsInResult(
  manifest: Manifest | undefined,
  { capability, data }: { capability: string; data: JsonObject },
): RecordRef[] {
  const record = resultRows(manifest, capability, data).record;
  const own = record && typeof data.id === 'string' ? [{ entity: record, id: data.id }] : [];
  const rows = Object.entries(data).flatMap(([name, member]) => {
    const kind = kindOfRows(manifest, capability, `/${name}`);
    return (Array.isArray(member) ? member.filter(isObject) : []).flatMap((row) => [
      ...(kind && typeof row.id === 'string' ? [{ entity: kind.type, id: row.id }] : []),
      ...namedIn(manifest, row),
    ]);
  });
  return [...own, ...namedIn(manifest, data), ...rows].filter((one) => linkOf(manifest, one) !== undefined);
}
