import type { SideEffect } from './manifest';
import type { Failure, Json, JsonObject, Success } from './wire';

/** What the assistant sends while it works: one update at a time, from turn_started to turn_ended. */
export interface ChatUpdate {
  type: 'turn_started' | 'waiting' | 'delta' | 'message' | 'call' | 'result' | 'turn_ended';
  conversation_id: string;
  turn_id: string;
  /** delta, message: which message the text is of. */
  message_id?: string;
  /** turn_started: the person's sentence; waiting: what for; delta: a piece; message: the whole. */
  text?: string;
  /** turn_started: who answers. */
  model?: { endpoint?: string; name?: string };
  call_id?: string;
  request_id?: string;
  capability?: string;
  title?: string;
  side_effect?: SideEffect;
  arguments?: JsonObject;
  result?: Success<Json> | Failure;
  /** message: short answers to the question in it, each sent as it reads. */
  choices?: string[];
  /** turn_ended: how. */
  status?: 'done' | 'stopped' | 'error' | 'limit';
  /** turn_ended: a sentence that says what to do. */
  error?: string;
  /** turn_ended: every call that was more than a read. */
  actions?: ChatAction[];
}

/** One call of a turn that was more than a read, and what became of it. */
export interface ChatAction {
  request_id?: string;
  capability: string;
  title: string;
  text: string;
  outcome: 'done' | 'refused' | 'failed' | 'stopped';
}

/** The answer to a sentence that was sent; what follows comes as updates. */
export interface SendReceipt {
  conversation_id: string;
  turn_id: string;
}
