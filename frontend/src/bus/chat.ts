import type { SideEffect } from './manifest';
import type { Code, Json, JsonObject } from './wire';

/** What the assistant sends while it works: one update at a time. */
export interface ChatUpdate {
  type: 'turn_started' | 'delta' | 'message' | 'call' | 'result' | 'turn_ended';
  conversation_id: string;
  turn_id: string;
  message_id?: string;
  text?: string;
  call_id?: string;
  request_id?: string;
  capability?: string;
  title?: string;
  side_effect?: SideEffect;
  arguments?: JsonObject;
  result?: Json;
  status?: string;
  error?: { code?: Code; message: string; recovery_hint?: string } | string;
  suggestions?: Choice[];
  choices?: Choice[];
}

/** An answer the person may give with one tap: `text` is sent as if typed. */
export interface Choice {
  label: string;
  text: string;
}

/** The answer to a sentence that was sent; what follows comes as updates. */
export interface SendReceipt {
  conversation_id: string;
  turn_id: string;
}
