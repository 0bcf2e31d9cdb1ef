import type { ManifestEntry } from '../../bridge/manifest';
import { displayOf } from '../../bridge/records';
import { namesOf, propertyOf } from '../../bridge/schema';
import type { Json, JsonObject } from '../../bridge/wire';
import { humanize } from '../../language/format';
import { i18n } from '../../language/i18n';
import { own } from '../../language/own';
import type { Choice } from '../../ui/list/choices';

/** The source of a field's values: the capability, and the list in its answer. */
export interface Lookup {
  capability: string;
  pointer: string;
}

/** The source of the ids that a field holds; nothing if it holds none. */
export function lookupOf(field: JsonObject | undefined, sources: ManifestEntry['sources']): Lookup | undefined {
  const kind = field?.['x-entity'];
  const [capability, pointer] = (typeof kind === 'string' ? own(sources, kind) : undefined)?.split('#') ?? [];
  return capability && pointer ? { capability, pointer } : undefined;
}

/** A record that can be chosen, and its name alone. */
export interface NamedChoice extends Choice {
  name: string;
}

/** The choices in a look-up's answer: every item with an id, by its name, which is made as its kind declares it. */
export function choicesIn(items: Json | undefined, distinguishing: readonly string[], display?: string): NamedChoice[] {
  if (!Array.isArray(items)) return [];
  return items.flatMap((item) => {
    if (typeof item !== 'object' || item === null || Array.isArray(item) || typeof item.id !== 'string') return [];
    const declared = display && displayOf(display, item);
    const words = [declared, item.name, item.title, item.label, item.text, item.id];
    const name = String(words.find((word) => typeof word === 'string' && word !== ''));
    const more = distinguishing
      .map((property) => own(item, property))
      .find((word) => typeof word === 'string' && word !== '' && word !== name);
    return [{ value: item.id, label: [name, more].filter(Boolean).join(' · '), name }];
  });
}

/** The kind of a field, which decides its control. */
export type FieldKind =
  | 'hidden'
  | 'lookup'
  | 'file'
  | 'money'
  | 'choice'
  | 'choices'
  | 'flag'
  | 'number'
  | 'day'
  | 'secret'
  | 'text'
  | 'texts'
  | 'list'
  | 'map'
  | 'part';

/** Returns the kind of a field; its schema has its reference followed. */
export function kindOf(name: string, schema: JsonObject, sources: ManifestEntry['sources']): FieldKind {
  if (lookupOf(schema, sources)) return 'lookup';
  if (schema['x-file']) return 'file';
  if (name === 'file') return 'hidden'; // a path for a new file: only the command line can give one
  if (schema.type === 'object' || schema.properties) return kindOfObject(schema);
  if (schema.type === 'array') return kindOfArray(schema, sources);
  if (Array.isArray(schema.enum)) return 'choice';
  if (schema.type === 'boolean') return 'flag';
  if (schema.type === 'integer' || schema.type === 'number') return 'number';
  if (schema.format === 'date') return 'day';
  return schema.writeOnly ? 'secret' : 'text';
}

function kindOfObject(schema: JsonObject): FieldKind {
  if (!schema.properties) return isObject(schema.additionalProperties) ? 'map' : 'hidden';
  const { amount, currency, ...more } = schema.properties as JsonObject;
  const whole = isObject(amount) && amount.type === 'integer' && isObject(currency) && currency.type === 'string';
  return whole && Object.keys(more).length === 0 ? 'money' : 'part';
}

function kindOfArray({ items }: JsonObject, sources: ManifestEntry['sources']): FieldKind {
  if (!isObject(items)) return 'hidden';
  if (Array.isArray(items.enum)) return 'choices';
  return items.type === 'string' && !lookupOf(items, sources) ? 'texts' : 'list';
}

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the label of a field: its title, else its name in words. */
export function labelOf(name: string, schema: JsonObject): string {
  return typeof schema.title === 'string' ? schema.title : humanize(name);
}

/** Reports whether an object needs the property. */
export function isRequired(schema: JsonObject, name: string): boolean {
  return Array.isArray(schema.required) && schema.required.includes(name);
}

/** Returns the schema of an object without some of its fields. */
export function withoutFields(schema: JsonObject | undefined, names: readonly string[]): JsonObject {
  const kept = Object.entries((schema?.properties ?? {}) as JsonObject).filter(([name]) => !names.includes(name));
  return { ...schema, properties: Object.fromEntries(kept) };
}

/** Returns the values with no blanks around their texts; a secret stays as it is. */
export function trimmed(schema: JsonObject, values: JsonObject): JsonObject {
  const bare = (name: string, value: Json | undefined) =>
    typeof value === 'string' && !fieldOf(schema, name).writeOnly ? value.trim() : value;
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, bare(name, value)]));
}

/** Returns the labels of the fields that are needed and empty. */
export function lacking(schema: JsonObject, values: JsonObject): string[] {
  const isEmpty = (value: Json | undefined) =>
    value === undefined || (typeof value === 'string' && value.trim() === '') || (Array.isArray(value) && !value[0]);
  const needed = namesOf(schema).filter((name) => isRequired(schema, name) && isEmpty(own(values, name)));
  return needed.map((name) => labelOf(name, fieldOf(schema, name)));
}

/** Returns the schema of a property of an object, with the definitions that it refers to. */
export function fieldOf({ $defs, ...schema }: JsonObject, name: string): JsonObject {
  return { ...propertyOf({ ...schema, $defs }, name), ...($defs !== undefined && { $defs }) };
}

/** Returns the schema of a list's entries, with the definitions that it refers to. */
export function entryOf({ $defs, items = {} }: JsonObject): JsonObject {
  return fieldOf({ $defs, properties: { entry: items } }, 'entry');
}

/** The label of the button that adds an optional part: "Add an address". */
export function addText(title: string): string {
  return /^[aeiou]/i.test(title)
    ? i18n._('Add an {part}', { part: title.toLowerCase(), title })
    : i18n._('Add a {part}', { part: title.toLowerCase(), title });
}
