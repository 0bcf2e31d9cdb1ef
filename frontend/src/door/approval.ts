import type { SideEffect } from './manifest';
import type { Json, JsonObject } from './wire';

/** One changed row: the key, and the columns before and after. */
export interface Effect {
  table: string;
  key: JsonObject;
  op: 'insert' | 'update' | 'delete';
  before?: JsonObject;
  after?: JsonObject;
}

/** One argument as the person is shown it. */
export interface CardArgument {
  pointer: string;
  label: string;
  value: Json;
  text: string;
  /** Where the value came from. */
  origin?: 'said' | 'looked_up' | 'default' | 'guess';
}

/** What a person allows once and for all: within bounds, and up to an end. */
export interface GrantTerms {
  /** By the name of a fact or the pointer of a field: an exact value, or min, max, in and not_in. */
  constraints?: JsonObject;
  limits?: { uses?: number; budget?: { amount: number; currency: string }; conversation?: string };
  /** Milliseconds since 1970; absent: for ever. */
  until?: number;
}

/** What is asked of the person: exactly this call, with exactly these effects. */
export interface ApprovalCard {
  approval_id: string;
  request_id: string;
  conversation_id?: string;
  capability: string;
  title: string;
  side_effect: SideEffect;
  sentence: string;
  /** Of a plan: what each step does, in their order. */
  steps?: string[];
  arguments: CardArgument[];
  facts?: JsonObject;
  effects?: Effect[];
  /** What is different from the card that was shown before, when the world changed under it. */
  changed?: string[];
  /** Whose right it takes, such as "a manager"; absent: the answer of the person at the desk is enough. */
  needs?: string;
  /** With `needs`: who may allow it, each by PIN; the nearest first. */
  approvers?: Approver[];
  /** Why it is asked although there may be a grant. */
  why?: string;
  /** Bounds in which it may be allowed from now on; absent: never. */
  grant?: GrantTerms;
  /** What would be sent, of a call that reaches outside. */
  data?: Json;
  expires_at: number;
}

/** Somebody who may allow what the person at the desk may not. */
export interface Approver {
  id: string;
  name: string;
  role?: string;
}

/** A card appears, or is gone: answered, expired or void. */
export interface ApprovalEvent {
  type: 'opened' | 'closed';
  card: ApprovalCard;
  /** How it ended: allow, deny, edit, grant, expired or stopped. */
  answer?: string;
}

/** The person's answer to one card. */
export interface DecisionRequest {
  approval_id: string;
  /** grant: allow, and do not ask again within bounds. */
  answer: 'allow' | 'deny' | 'grant';
  reason?: string;
  /** Where the card needs another person: who, and their PIN. */
  approver?: string;
  pin?: string;
  /** With allow: run with these instead. */
  arguments?: JsonObject;
  /** With grant: the bounds; absent: those of the card. */
  grant?: GrantTerms;
}
