import type { SideEffect } from './manifest';
import type { RecordRef } from './records';
import type { Texts } from './texts';
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
  /** The record that the value is the id of; the page finds it by the schema. */
  record?: RecordRef;
  /** The origin of the value. */
  origin?: 'said' | 'looked_up' | 'default' | 'guess';
  /** In a step that is done for each row: the last step that has the same value. */
  through?: number;
}

/** A value of a bill with its label, and the pointer of the argument that it shows in words, if it is one. */
export interface BillValue {
  label: string;
  text: string;
  argument?: string;
}

/** What a call comes to, itemised, as the application computed it when it tried the call out. */
export interface Bill {
  lines?: { quantity: number; text: string; each?: string; amount?: string }[];
  /** What the lines come to; the last is the total. */
  sums?: BillValue[];
  /** Whom and what it concerns. */
  about?: BillValue[];
  /** What else becomes of it, each in a few words. */
  follows?: string[];
}

/** The terms of a grant: bounds, limits and an end. */
export interface GrantTerms {
  /** By the name of a fact or the pointer of a field: an exact value, or min, max, in and not_in. */
  constraints?: JsonObject;
  limits?: { uses?: number; budget?: { amount: number; currency: string }; conversation?: string };
  /** Milliseconds since 1970; absent: for ever. */
  until?: number;
}

/** A request for approval: exactly this call, with exactly these effects. */
export interface ApprovalCard {
  approval_id: string;
  request_id: string;
  conversation_id?: string;
  /** The other program whose assistant asks; absent: one of here. */
  client?: string;
  capability: string;
  title: string;
  side_effect: SideEffect;
  sentence: string;
  /** Of a plan: what each step does, in their order. */
  steps?: string[];
  /** Of what is done with several records: those it is not done with. */
  left?: { name: string; why: string }[];
  /** Of what was done elsewhere: rows that become another number here, from what they became there. */
  moved?: Effect[];
  arguments: CardArgument[];
  facts?: JsonObject;
  effects?: Effect[];
  /** The bill of the call; of a plan one for each step, null where a step has none. */
  bills?: (Bill | null)[];
  /** The differences to the card that was shown before, when the data changed meanwhile. */
  changed?: string[];
  /** The role that has to approve, such as "a manager"; absent: the person at the desk may. */
  needs?: string;
  /** With `needs`: the second approvers, each by PIN; the nearest first. */
  approvers?: Approver[];
  /** The reason for asking although there may be a grant. */
  why?: string;
  /** The terms of a grant that the card offers; absent: none. */
  grant?: GrantTerms;
  /** With `grant`: the assistant it would be for, and the person it works for. */
  grantee?: { person?: string; endpoint: string; model: string };
  /** The data that a network step would send. */
  data?: Json;
  /** The sentences above with their keys and values. */
  texts?: Texts;
  expires_at: number;
  /** The ms until then when it came: the shop may be on a computer with another time. */
  expires_in?: number;
}

/** A card that expires by the clock of this computer. */
export function byOwnClock(card: ApprovalCard): ApprovalCard {
  return card.expires_in === undefined ? card : { ...card, expires_at: Date.now() + card.expires_in };
}

/** A second approver: a person who may approve what the person at the desk may not. */
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
  /** grant: allow, and do not ask again within bounds. again: not yet; another card asks, with what it comes to then. */
  answer: 'allow' | 'deny' | 'grant' | 'again';
  reason?: string;
  /** The second approver, where the card needs one. */
  approver?: string;
  pin?: string;
  /** With allow: run with these instead. */
  arguments?: JsonObject;
  /** With grant: the bounds; absent: those of the card. */
  grant?: GrantTerms;
}
