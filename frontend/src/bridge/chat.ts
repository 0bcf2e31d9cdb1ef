import type { CardArgument } from './approval';
import type { SideEffect } from './manifest';
import type { Texts } from './texts';
import type { Choice, Failure, Json, JsonObject, Success } from './wire';

/** How far the assistant goes by itself: it only reads, it asks first, or it uses the grants too. */
export type Autonomy = 'look' | 'ask' | 'grants';

/** An update that the assistant sends while it works, from turn_started to turn_ended. */
export interface ChatUpdate {
  type: 'turn_started' | 'waiting' | 'delta' | 'message' | 'call' | 'result' | 'form' | 'turn_ended';
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
  /** message: answers to the question in it; the title of an option is one. */
  choices?: Choice[];
  /** turn_ended: how. */
  status?: 'done' | 'stopped' | 'error' | 'limit';
  /** turn_ended: a sentence that says what to do. */
  error?: string;
  /** turn_ended: every call that was more than a read. */
  actions?: ChatAction[];
  /** turn_ended: suggested next steps, each done by one tap. */
  suggestions?: Suggestion[];
  /** turn_ended: all suggestions as one, where they can be. */
  plan?: Suggestion;
  /** turn_ended: the tokens and costs of all its requests. */
  usage?: Usage;
  /** form: the one to open. */
  form?: FilledForm;
  /** turn_started: how far the assistant goes; turn_ended: the same, when the person changed it meanwhile. */
  autonomy?: Autonomy;
  /** turn_ended: a sentence that the person should know. */
  notice?: string;
  texts?: Texts;
}

/** The form of a capability with the values that the assistant has for it. */
export interface FilledForm {
  capability: string;
  arguments: JsonObject;
  /** Where each value came from. */
  values?: CardArgument[];
  /** The titles of what gave the assistant text of others. */
  tainted?: string[];
  parent_request_id: string;
}

/** Tokens read and written, and their costs. */
export interface Usage {
  input?: number;
  output?: number;
  /** The endpoint did not count all of them. */
  estimated?: boolean;
  /** One amount for each currency; absent where no price is set. */
  costs?: { amount: string; currency: string; text: string }[];
}

/** An invocation that is offered as a button: the person's own once it is tapped. */
export interface Suggestion {
  capability: string;
  title: string;
  /** The title and every argument, with names for ids. */
  text: string;
  arguments: JsonObject;
  parent_request_id: string;
  /** Its arguments, with names for ids; absent where there are none. */
  values?: CardArgument[];
  /** Whether the change can be undone. */
  reversible?: boolean;
  /** A tap opens it, and nothing is invoked. */
  form?: FilledForm;
}

/** One call of a turn that was more than a read, and what became of it. */
export interface ChatAction {
  request_id?: string;
  capability: string;
  title: string;
  text: string;
  outcome: 'done' | 'refused' | 'failed' | 'running' | 'stopped';
  /** Whether the change can be undone. */
  reversible?: boolean;
}

/** The answer to a sentence that was sent; what follows comes as updates. */
export interface SentTurn {
  conversation_id: string;
  turn_id: string;
}
