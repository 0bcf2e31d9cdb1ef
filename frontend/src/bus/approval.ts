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

/** What is asked of the person: exactly this call, with exactly these effects. */
export interface ApprovalCard {
  approval_id: string;
  request_id: string;
  conversation_id?: string;
  capability: string;
  title: string;
  side_effect: SideEffect;
  sentence: string;
  arguments: CardArgument[];
  facts?: JsonObject;
  effects?: Effect[];
  /** What is different from the card that was shown before, when the world changed under it. */
  changed?: string[];
  /** Whose right it takes, such as "a manager"; absent: the answer of the person at the desk is enough. */
  needs?: string;
  /** With `needs`: who may allow it, each by PIN; the nearest first. */
  approvers?: Approver[];
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
  /** How it ended: allow, deny, edit, expired or stopped. */
  answer?: string;
}

/** The person's answer to one card. */
export interface DecisionRequest {
  approval_id: string;
  answer: 'allow' | 'deny';
  reason?: string;
  /** Where the card needs another person: who, and their PIN. */
  approver?: string;
  pin?: string;
}
