import { entry, type Manifest, PLAN, REPEAT } from '../../bridge/manifest';
import { keyOf } from '../../bridge/names';
import { placesIn, type RecordRef, recordsIn } from '../../bridge/records';
import { insideOf, propertyOf } from '../../bridge/schema';
import type { Json, JsonObject } from '../../bridge/wire';
import type { AuditRecord } from '../audit/record';

/** One thing that a routine does. */
export interface Step {
  capability: string;
  arguments: JsonObject;
  /** The list for each row of which it is done; absent: it is done once. */
  $each?: { from: string; where?: JsonObject };
}

/** A record in the steps that another one may take the place of at each run, and the name of that blank. */
export interface Open extends RecordRef {
  blank: string;
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A value with something else in place of the parts of which `by` says so. */
function replaced(value: Json, by: (part: Json) => Json | undefined): Json {
  const to = by(value);
  if (to !== undefined) return to;
  if (Array.isArray(value)) return value.map((item) => replaced(item, by));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, replaced(part as Json, by)]));
}

/** Where a text stands in a value, as a JSON pointer; undefined if it does not, or in a list: that of another run differs. */
function pointerTo(value: Json, sought: Json): string | undefined {
  if (value === sought) return '';
  if (!isObject(value)) return undefined;
  for (const [name, part] of Object.entries(value)) {
    const rest = pointerTo(part as Json, sought);
    if (rest !== undefined) return `${insideOf('', name)}${rest}`;
  }
  return undefined;
}

/** What was done again with the first of several records: a record that a step made is a reference to what it gave. */
function repeatedSteps(data: unknown, manifest: Manifest | undefined): JsonObject[] {
  const { steps, subjects } = isObject(data) ? data : {};
  const all = Array.isArray(steps) ? steps.filter(isObject) : [];
  const first = all.slice(0, all.length / (Number(subjects) || 1));
  const given = new Set<Json>(); // before the step
  return first.map((step, at) => {
    const values = isObject(step.arguments) ? step.arguments : {};
    const named = recordsIn(entry(manifest, String(step.capability))?.input_schema, values).map(({ id }) => id);
    const made = named.filter((id) => !given.has(id));
    for (const id of named) given.add(id);
    const referred = replaced(values, (part) => {
      if (typeof part !== 'string' || !made.includes(part)) return undefined;
      const from = first.slice(0, at).map(({ data: gave }) => pointerTo(gave ?? null, part));
      const earlier = from.findIndex((pointer) => pointer !== undefined);
      return earlier < 0 ? undefined : { $from: `/${earlier}${from[earlier]}` };
    });
    return { ...step, arguments: referred };
  });
}

/** What the records did, each step of a plan for itself; undefined if one does not say it. */
export function stepsOf(records: readonly AuditRecord[], manifest: Manifest | undefined): Step[] | undefined {
  const all: Step[] = [];
  for (const { capability = '', arguments: given, data } of records) {
    const before = all.length;
    const values = isObject(given) ? given : {};
    if (capability !== PLAN && capability !== REPEAT) {
      if (entry(manifest, capability)?.composite) return undefined;
      all.push({ capability, arguments: values });
      continue;
    }
    const plan = Array.isArray(values.steps) ? values.steps.filter(isObject) : [];
    for (const step of capability === REPEAT ? repeatedSteps(data, manifest) : plan) {
      const later = (pointer: string) => {
        const [, number, ...rest] = pointer.split('/');
        return ['', Number(number) + before, ...rest].join('/');
      };
      const moved = replaced(isObject(step.arguments) ? step.arguments : {}, (part) => {
        const key = isObject(part) ? ['$from', '$count'].find((name) => typeof part[name] === 'string') : undefined;
        return key && { [key]: later(String((part as JsonObject)[key])) };
      });
      const each = step.$each as Step['$each'];
      const ofRows = each && { $each: { ...each, from: later(each.from) } };
      all.push({ capability: String(step.capability), arguments: moved as JsonObject, ...ofRows });
    }
  }
  return all.length > 0 ? all : undefined;
}

/**
 * The records that the steps name, each with the name of its blank: that of its first field, and in a list that of the
 * list.
 */
export function openIn(steps: readonly Step[], manifest: Manifest | undefined): Open[] {
  const all: Open[] = [];
  for (const { capability, arguments: values } of steps) {
    for (const [pointer, record] of placesIn(entry(manifest, capability)?.input_schema, values)) {
      if (all.some((one) => keyOf(one) === keyOf(record))) continue;
      const field = pointer.split('/').findLast((part) => !/^\d*$/.test(part)) ?? record.entity;
      const same = all.filter(({ blank }) => blank.replace(/\d+$/, '') === field).length;
      all.push({ ...record, blank: same === 0 ? field : `${field}${same + 1}` });
    }
  }
  return all;
}

/** The steps with blanks in place of some records, where the schema says that they are such: not in what was typed. */
export function withBlanks(steps: readonly Step[], open: readonly Open[], manifest: Manifest | undefined): Step[] {
  return steps.map((step) => {
    const schema = entry(manifest, step.capability)?.input_schema;
    return { ...step, arguments: blanked(schema, step.arguments, open) as JsonObject };
  });
}

function blanked(schema: JsonObject | undefined, value: Json, open: readonly Open[], of?: Json): Json {
  const entity = schema?.['x-entity'] ?? of;
  if (Array.isArray(value)) {
    const items = schema?.items as JsonObject | undefined;
    return value.map((item) => blanked(items, item, open, entity));
  }
  const found = open.find((record) => record.id === value && record.entity === entity);
  if (found) return { $blank: found.blank };
  if (!isObject(value)) return value;
  const parts = Object.entries(value).map(([name, part]) => [
    name,
    blanked(propertyOf(schema, name), part as Json, open),
  ]);
  return Object.fromEntries(parts);
}
