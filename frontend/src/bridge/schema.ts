import { own } from '../language/own';
import { translateFromGo } from '../language/translateFromGo';
import type { Json, JsonObject } from './wire';

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The schema of a property, its local reference followed. */
export function propertyOf(schema: JsonObject | undefined, name: string): JsonObject | undefined {
  const properties = schema?.properties;
  const property = isObject(properties) ? own(properties, name) : undefined;
  return isObject(property) ? follow(schema, property) : undefined;
}

/** The names of the properties. */
export function namesOf(schema: JsonObject | undefined): string[] {
  return isObject(schema?.properties) ? Object.keys(schema.properties) : [];
}

/** The texts a property may have, where the schema lists them; T is what the generated types make of the same list. */
export function enumOf<T extends string>(schema: JsonObject | undefined, name: string): T[] {
  const values = propertyOf(schema, name)?.enum;
  return Array.isArray(values) ? values.filter((value): value is T => typeof value === 'string') : [];
}

/** The numbers that a property of a schema allows. */
export function numbersOf(schema: JsonObject | undefined, name: string): number[] {
  const values = propertyOf(schema, name)?.enum;
  return Array.isArray(values) ? values.filter((value) => typeof value === 'number') : [];
}

/** The schema of the value at a JSON Pointer. */
export function schemaAt(root: JsonObject | undefined, pointer: string): JsonObject | undefined {
  return partsOf(pointer).reduce<JsonObject | undefined>((node, part) => {
    const { properties, items, additionalProperties } = node ?? {};
    const property = isObject(properties) ? own(properties, part) : undefined;
    const next = property ?? (/^\d+$/.test(part) ? items : undefined) ?? additionalProperties;
    return isObject(next) ? follow(root, next) : undefined;
  }, root);
}

/** A value as a person reads it: said where the schema lists it as a choice, since that is the application's word. */
export function translateChoice(
  schema: JsonObject | undefined,
  name: string,
  value: Json | undefined,
): Json | undefined {
  return typeof value === 'string' && enumOf(schema, name).includes(value) ? translateFromGo(value) : value;
}

/** Whether a secret may be among what a schema describes: something that is written, and never read again. */
export function hasSecrets(schema: Json | undefined): boolean {
  if (Array.isArray(schema)) return schema.some(hasSecrets);
  return isObject(schema) && (schema.writeOnly === true || Object.values(schema).some(hasSecrets));
}

function follow(root: JsonObject | undefined, schema: JsonObject): JsonObject {
  if (typeof schema.$ref !== 'string' || !schema.$ref.startsWith('#/')) return schema;
  const target = at(root, schema.$ref.slice(1));
  return isObject(target) ? target : schema;
}

/** The value at a JSON Pointer. */
export function at(value: Json | undefined, pointer: string): Json | undefined {
  return partsOf(pointer).reduce<Json | undefined>((found, part) => {
    if (Array.isArray(found)) return found[Number(part)];
    return isObject(found) ? own(found, part) : undefined;
  }, value);
}

/** A value with another one at a JSON Pointer, in a copy of what is around it. */
export function putAt(value: Json | undefined, pointer: string, to: Json): Json {
  const [part, ...inner] = partsOf(pointer);
  if (part === undefined) return to;
  const below = inner.length === 0 ? '' : pointer.slice(pointer.indexOf('/', 1));
  if (Array.isArray(value)) return value.map((item, i) => (i === Number(part) ? putAt(item, below, to) : item));
  const object = isObject(value) ? value : {};
  return { ...object, [part]: putAt(own(object, part), below, to) };
}

/** The JSON Pointer of a part of the value at another one. */
export const insideOf = (pointer: string, part: string) =>
  `${pointer}/${part.replaceAll('~', '~0').replaceAll('/', '~1')}`;

const partsOf = (pointer: string) =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
