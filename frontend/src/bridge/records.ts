import { own } from '../language/own';
import { type Entity, entityOf, type Manifest } from './manifest';
import { at, insideOf, propertyOf } from './schema';
import type { Json, JsonObject } from './wire';

/** A record by the kind that the application declares, and its id. */
export interface RecordRef {
  entity: string;
  id: string;
}

/** The records in a value, by the JSON Pointers of their places. */
export type Places = ReadonlyMap<string, RecordRef>;

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * The places of records in a value, by x-entity in its schema: at a field, at a list or its items, at any depth. Of two
 * kinds at one place the inner one counts.
 */
export function placesIn(schema: JsonObject | undefined, value: Json | undefined): Places {
  const places = new Map<string, RecordRef>();
  walk(schema, schema, value, '', places);
  return places;
}

/** The records that a value refers to. */
export function recordsIn(schema: JsonObject | undefined, value: Json | undefined): RecordRef[] {
  return [...placesIn(schema, value).values()];
}

type Part = readonly [pointer: string, value: Json, schema: Json | undefined];

function walk(
  root: JsonObject | undefined,
  node: Json | undefined,
  value: Json | undefined,
  pointer: string,
  places: Map<string, RecordRef>,
): void {
  const schema = followed(root, node);
  if (!schema || value === undefined) return;
  const properties = isObject(schema.properties) ? schema.properties : {};
  const rest = Array.isArray(value) ? schema.items : schema.additionalProperties;
  const inner: [string, Json][] = typeof value === 'object' && value !== null ? Object.entries(value as object) : [];
  const parts = inner.map(([name, part]): Part => [insideOf(pointer, name), part, own(properties, name) ?? rest]);
  const entity = schema['x-entity'];
  if (typeof entity === 'string') {
    const ids = Array.isArray(value) ? parts : [[pointer, value] as const];
    for (const [at, id] of ids) {
      if (typeof id === 'string' && id !== '') places.set(at, { entity, id });
    }
  }
  for (const word of ['anyOf', 'oneOf', 'allOf'] as const) {
    const branches = own(schema, word);
    if (Array.isArray(branches)) for (const branch of branches) walk(root, branch, value, pointer, places);
  }
  for (const [at, part, of] of parts) walk(root, of, part, at, places);
}

function followed(root: JsonObject | undefined, schema: Json | undefined): JsonObject | undefined {
  if (!isObject(schema)) return undefined;
  const { $ref } = schema;
  if (typeof $ref !== 'string' || !$ref.startsWith('#/')) return schema;
  const target = at(root, $ref.slice(1));
  return isObject(target) ? target : undefined;
}

/**
 * The kind of record that a fact is the id of: as the argument of that name says, or by its own name, which is the
 * kind and "Id". Undefined if it is none that is declared.
 */
export function entityOfFact(manifest: Manifest | undefined, schema: JsonObject | undefined, fact: string) {
  const declared = propertyOf(schema, fact)?.['x-entity'];
  return typeof declared === 'string' ? declared : entityByName(manifest, fact);
}

/** The kind of record that a name tells, such as "folderId" or a column "folder_id"; undefined for none declared. */
export function entityByName(manifest: Manifest | undefined, name: string): Entity['type'] | undefined {
  const word = name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return word.endsWith('Id') ? entityOf(manifest, word.slice(0, -2))?.type : undefined;
}

/** The records that the facts of a call refer to. */
export function recordsInFacts(
  manifest: Manifest | undefined,
  schema: JsonObject | undefined,
  facts: object = {},
): RecordRef[] {
  return Object.entries(facts).flatMap(([fact, id]) => {
    const entity = typeof id === 'string' && id !== '' ? entityOfFact(manifest, schema, fact) : undefined;
    return entity ? [{ entity, id }] : [];
  });
}

/** The name of a record, its fields put into the form that its kind declares: "{name}". */
export function displayOf(form: string, record: JsonObject): string {
  const text = (value: Json | undefined) => (value === null || value === undefined ? '' : String(value));
  return form.replace(/\{(\w+)\}/g, (_, field: string) => text(own(record, field))).trim();
}

/** The page of a record, as its kind declares it: "folders/f1". Undefined where it has none. */
export function linkOf(manifest: Manifest | undefined, { entity, id }: RecordRef): string | undefined {
  return entityOf(manifest, entity)?.link?.replace('{id}', () => id);
}
