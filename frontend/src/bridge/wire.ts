import type { Sentence } from '../language/sentence';
import type { Texts } from './texts';

/** A JSON value, and a JSON object. */
export type Json = string | number | boolean | null | Json[] | JsonObject;
export interface JsonObject {
  [key: string]: Json | undefined;
}

/** An amount in minor units; `text` is written by the application, ready to be shown. */
export interface Money {
  amount: number;
  currency: string;
  text?: string;
}

/** The seven codes a failure can carry. */
export type Code =
  | 'VALIDATION'
  | 'FORBIDDEN'
  | 'PRECONDITION_FAILED'
  | 'CONFLICT'
  | 'NOT_FOUND'
  | 'TRANSIENT'
  | 'INTERNAL';

/** One place where arguments break the schema. */
export interface Violation {
  path: string;
  message: string;
  /** The message with its key and values, where the application has them. */
  sentence?: Sentence;
}

/** An argument, by its JSON Pointer less the first slash, with the values that there are for it. */
export interface Choice {
  field: string;
  options: { value: unknown; title: string }[];
}

/** The answer to an invocation that went through. */
export interface Success<T> {
  status: 'success';
  request_id: string;
  data: T;
  facts?: JsonObject;
  execution_time_ms: number;
  replayed: boolean;
  dry_run?: boolean;
  /** Of a dry run: what would be done. */
  summary?: string;
  texts?: Texts;
  timestamp: number;
}

/** The answer to an invocation that did not. */
export interface Failure {
  status: 'error';
  request_id: string;
  code: Code;
  reason?: string;
  message: string;
  recovery_hint?: string;
  retryable: boolean;
  violations?: Violation[];
  choices?: Choice[];
  retry_after_seconds?: number;
  texts?: Texts;
}

/** An invocation as the page sends it; the door stamps who is calling. */
export interface Invocation {
  capability: string;
  arguments: object;
  request_id: string;
  idempotency_key?: string;
  dry_run?: boolean;
  caller: { type: 'ui'; source: string; parent_request_id?: string };
}

/** An event of the bus, sent after the commit. */
export type BusEvent = { request_id?: string; timestamp?: number; texts?: Texts } & (
  | {
      type: 'invocation';
      capability: string;
      caller?: { type: string; source?: string };
      status: string;
      code?: Code;
      replayed?: boolean;
      dry_run?: boolean;
    }
  | { type: 'stateChange'; domain: string; summary?: string; ids?: string[] }
  | { type: 'notification'; level?: string; message: string }
  | { type: 'progress'; task_id: string; percent?: number; message?: string }
  | { type: 'missed'; missed: number }
);
