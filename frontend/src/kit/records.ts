import { entityOf, entry, type Manifest, PLAN } from '../bridge/manifest';
import { keyOf, type Names, withNames } from '../bridge/names';
import { entityByName, entityOfFact, linkOf, type Places, placesIn, recordsInFacts } from '../bridge/records';
import { insideOf, translateChoice } from '../bridge/schema';
import type { Json, JsonObject } from '../bridge/wire';
import { own } from '../language/own';
import { readable } from '../language/readable';
import { useManifest } from '../queries/useManifest';
import { type NamedRecord, useNamed, useNames } from '../queries/useNames';
import { REQUEST, usedValues } from './approvals/cards';
import { useDomain } from './domain';
import { type RecordInRow, type RowChange, recordsInRows } from './rows/rows';

/** The known parts of a call: its arguments, its facts, the rows it changes, and the constraints of its grant. */
export interface Subject {
  capability: string;
  arguments?: JsonObject;
  facts?: object;
  rows?: readonly RowChange[];
  constraints?: object;
}

/** The names of the records that a call refers to. */
export function useNamesIn({ capability, arguments: values, facts, rows = [], constraints = {} }: Subject): Names {
  const manifest = useManifest();
  const recordOf = useRecordInRow();
  return useNames([
    ...placesInCall(manifest, capability, values).values(),
    ...recordsInFacts(manifest, entry(manifest, capability)?.input_schema, facts),
    ...recordsInRows(rows, recordOf),
    ...placesInBounds(manifest, capability, constraints).values(),
  ]);
}

/**
 * Finds the record that a value in a column is the id of. The own id of a row is of a kind for itself where the
 * application declares none, so that it gets only the name in the row.
 */
export function useRecordInRow(): RecordInRow {
  const manifest = useManifest();
  const { references } = useDomain().vocabulary;
  return (table, column, id) => {
    const place = `${table}.${column}`;
    const declared = own(references, place) ?? own(references, column) ?? entityByName(manifest, column);
    const entity = declared ?? (column === 'id' ? place : undefined);
    return entity && typeof id === 'string' && id !== '' ? { entity, id } : undefined;
  };
}

/** An id, with its kind or a domain that has the kind. */
export interface IdOfSomeKind {
  id: string;
  /** It is of this kind. */
  entity?: string;
  /** The domain of the change: its kinds come first. */
  domain?: string;
}

/**
 * The record that each id is of, each once, as far as the person may read it. Records of two kinds may have the same
 * id: where nothing tells the kind and the names differ, there is none.
 */
export function useRecordsOf(ids: readonly IdOfSomeKind[]): readonly NamedRecord[] {
  const manifest = useManifest();
  const kinds = manifest?.entities ?? [];
  const named = useNamed(
    ids.flatMap(({ id, entity }) => (entity ? [{ entity, id }] : kinds.map(({ type }) => ({ entity: type, id })))),
  );
  const chosen = ids.flatMap(({ id, entity, domain }) => {
    const found = named.filter((record) => record.id === id && (!entity || record.entity === entity));
    const likely = found.filter((record) => isOfDomain(manifest, record.entity, domain));
    const these = likely.length > 0 ? likely : found;
    if (new Set(these.map(({ name }) => name)).size !== 1) return [];
    return these.find((record) => linkOf(manifest, record)) ?? these[0] ?? [];
  });
  return [...new Map(chosen.map((record) => [keyOf(record), record])).values()];
}

/** Whether the records of a kind are listed or read by capabilities of a domain. */
function isOfDomain(manifest: Manifest | undefined, kind: string, domain: string | undefined): boolean {
  const { get = '', sources = [] } = entityOf(manifest, kind) ?? {};
  return domain !== undefined && [get, ...sources].some((name) => name.startsWith(`${domain}.`));
}

/** The kind of record that has its page at a step: "folders" for the link "folders/{id}". */
export function entityAt(manifest: Manifest | undefined, step: string): string | undefined {
  return manifest?.entities?.find(({ link }) => link === `${step}/{id}`)?.type;
}

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The places of records in the arguments of a call, in the steps of a plan and in the bounds of a grant. */
export function placesInCall(manifest: Manifest | undefined, capability: string, values: JsonObject = {}): Places {
  const places = [...placesIn(entry(manifest, capability)?.input_schema, values)];
  const within = (pointer: string, inner: Places) => {
    for (const [at, record] of inner) places.push([pointer + at, record]);
  };
  if (capability === REQUEST && isObject(values.constraints)) {
    within('/constraints', placesInBounds(manifest, String(values.capability), values.constraints));
  }
  const steps = capability === PLAN && Array.isArray(values.steps) ? values.steps : [];
  for (const [at, step] of steps.entries()) {
    const { capability: name, arguments: inner } = isObject(step) ? step : {};
    if (isObject(inner)) within(`/steps/${at}/arguments`, placesInCall(manifest, String(name), inner));
  }
  return new Map(places);
}

/** The values of a call by their names, each as a person reads it, and the record that it is the id of. */
export function readValues(manifest: Manifest | undefined, capability: string, values: JsonObject, names: Names) {
  const schema = entry(manifest, capability)?.input_schema;
  const places = placesInCall(manifest, capability, values);
  return Object.entries(values).map(([name, value]) => {
    const pointer = insideOf('', name);
    const text = readable(withNames(translateChoice(schema, name, value), places, names, pointer));
    return { name, text, record: places.get(pointer) };
  });
}

/** The places of records in the bounds of a grant, whose keys are facts, or JSON Pointers with * for all of a list. */
function placesInBounds(manifest: Manifest | undefined, capability: string, constraints: object): Places {
  const schema = entry(manifest, capability)?.input_schema;
  const kindOf = (key: string) => {
    if (!key.startsWith('/')) return entityOfFact(manifest, schema, key);
    const pointer = key.replaceAll(/\/\*(?=\/|$)/g, '/0');
    return placesIn(schema, usedValues([{ pointer, value: 'any' }])).get(pointer)?.entity;
  };
  const properties = Object.keys(constraints).map((key): [string, JsonObject] => {
    const kind = { 'x-entity': kindOf(key) ?? null };
    return [key, { ...kind, additionalProperties: kind }]; // an id, or lists of ids under "in" and "not_in"
  });
  return placesIn({ properties: Object.fromEntries(properties) }, constraints as JsonObject);
}

/** The bounds of a grant with names in place of the ids of records. */
export function useNamedBounds(capability: string, constraints: object = {}): JsonObject {
  const places = placesInBounds(useManifest(), capability, constraints);
  return withNames(constraints as JsonObject, places, useNames([...places.values()])) as JsonObject;
}
