import type { Entity } from '../../bridge/manifest';
import type { RecordRef } from '../../bridge/records';
import { at } from '../../bridge/schema';
import type { Code, Json, JsonObject, Violation } from '../../bridge/wire';

/** One call as the fake's capabilities see it. */
export interface FakeCall {
  args: JsonObject;
  caller: { type: string; source?: string };
  requestId: string;
  changed: (domain: string, ...ids: string[]) => void;
}

/** A refusal with its code. */
export class Refusal extends Error {
  constructor(
    readonly code: Code,
    message: string,
    readonly hint?: string,
    readonly violations?: Violation[],
  ) {
    super(message);
  }
}

/** A capability of the fake: what the manifest says of it, and what it does. */
export interface FakeCapability {
  name: string;
  title: string;
  side_effect: string;
  provides?: readonly string[];
  description?: string;
  shortcut?: string;
  input_schema?: JsonObject;
  unavailable?: () => string | undefined;
  current?: () => Json;
  run: (call: FakeCall) => object;
}

/** The schema of an object with these properties. */
export function object(properties: JsonObject, ...required: string[]): JsonObject {
  return { type: 'object', additionalProperties: false, properties, required };
}

/** The capability that names records, as the real bus has it: by what reads one, or a list that needs no arguments. */
export function entityNames(entities: readonly Entity[], capabilities: readonly FakeCapability[]): FakeCapability {
  const read = (name: string | undefined, call: FakeCall, id?: string): Json | undefined => {
    const known = capabilities.find((one) => one.name === name);
    const [required] = Array.isArray(known?.input_schema?.required) ? known.input_schema.required : [];
    if (!known || (required !== undefined && id === undefined)) return undefined;
    try {
      return known.run({ ...call, args: id === undefined ? {} : { [String(required)]: id } }) as Json;
    } catch {
      return undefined; // there is none
    }
  };
  const recordOf = ({ get, sources }: Entity, id: string, call: FakeCall): Json | undefined => {
    if (get) return read(get, call, id);
    const lists = sources.map((source) => source.split('#')).map(([name, list = '']) => at(read(name, call), list));
    return lists.flat().find((record) => at(record ?? null, '/id') === id);
  };
  const display = (form: string, record: Json) =>
    form.replace(/\{(\w+)\}/g, (_, field: string) => String(at(record, `/${field}`) ?? '')).trim();
  return {
    ...{ name: 'entity.names', title: 'Names of records', side_effect: 'pure' },
    run: (call) => ({
      records: (call.args.records as unknown as RecordRef[]).flatMap(({ entity, id }) => {
        const kind = entities.find(({ type }) => type === entity);
        const record = kind && recordOf(kind, id, call);
        const name = record && display(kind.display ?? '{name}', record);
        return name ? [{ entity, id, name }] : [];
      }),
    }),
  };
}
