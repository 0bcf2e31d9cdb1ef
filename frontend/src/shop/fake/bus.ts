import type { Code, Json, JsonObject, Violation } from '../../door/wire';

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
