import { useManifest } from '../asking/useManifest';
import { type NamedRecord, useNamed, useNames } from '../asking/useNames';
import { entry, type Manifest, PLAN } from '../door/manifest';
import type { Names } from '../door/namesById';
import { entityByName, linkOf, type RecordRef, recordsIn, recordsInFacts } from '../door/records';
import type { Json, JsonObject } from '../door/wire';
import { own } from '../language/own';
import { REQUEST, usedValues } from './approvals/cards';
import { useDomain } from './domain';
import { type RowChange, recordsInRows } from './rows/rows';

/** The known parts of a call: its arguments, its facts, the rows it changes, and the constraints of its grant. */
export interface Subject {
  capability: string;
  arguments?: JsonObject;
  facts?: object;
  rows?: readonly RowChange[];
  constraints?: object;
}

/** The records that a call refers to, and their names by id. */
export function useRecords({ capability, arguments: values, facts, rows = [], constraints }: Subject): {
  records: readonly RecordRef[];
  names: Names;
} {
  const manifest = useManifest();
  const { references } = useDomain().vocabulary;
  const records = [
    ...recordsInCall(manifest, capability, values),
    ...recordsInFacts(manifest, entry(manifest, capability)?.input_schema, facts),
    ...recordsInRows(rows, (table, column) => {
      return own(references, `${table}.${column}`) ?? own(references, column) ?? entityByName(manifest, column);
    }),
    ...recordsInBounds(manifest, capability, constraints),
  ];
  return { records, names: useNames(records) };
}

/** The records with some ids, of whatever kind they are: those that the person may read. */
export function useRecordsOfAnyKind(ids: readonly string[]): readonly NamedRecord[] {
  const manifest = useManifest();
  const kinds = manifest?.entities ?? [];
  const named = useNamed(ids.flatMap((id) => kinds.map(({ type }) => ({ entity: type, id }))));
  return [...new Set(ids)].flatMap((id) => {
    const found = named.filter((record) => record.id === id);
    return found.find((record) => linkOf(manifest, record)) ?? found[0] ?? [];
  });
}

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The records in the arguments of a call, in those of the calls of a plan, and in the bounds of a requested grant. */
export function recordsInCall(
  manifest: Manifest | undefined,
  capability: string,
  values: JsonObject = {},
): RecordRef[] {
  const own = recordsIn(entry(manifest, capability)?.input_schema, values);
  if (capability === REQUEST && isObject(values.constraints)) {
    return [...own, ...recordsInBounds(manifest, String(values.capability), values.constraints)];
  }
  const steps = capability === PLAN && Array.isArray(values.steps) ? values.steps.filter(isObject) : [];
  return own.concat(
    ...steps.map(({ capability: name, arguments: inner }) =>
      recordsInCall(manifest, String(name), isObject(inner) ? inner : undefined),
    ),
  );
}

/** The records to which a grant is bound: by a fact, or by the JSON Pointer of an argument. */
function recordsInBounds(manifest: Manifest | undefined, capability: string, constraints: object = {}): RecordRef[] {
  const schema = entry(manifest, capability)?.input_schema;
  const bounds = Object.entries(constraints);
  const values = bounds.filter(([key]) => key.startsWith('/')).map(([pointer, value]) => ({ pointer, value }));
  return [
    ...recordsIn(schema, usedValues(values)),
    ...recordsInFacts(manifest, schema, Object.fromEntries(bounds.filter(([key]) => !key.startsWith('/')))),
  ];
}
