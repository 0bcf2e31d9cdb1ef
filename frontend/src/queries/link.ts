import type { Client } from '../bridge/client';
import type { BusError } from '../bridge/error';
import type { BusEvent } from '../bridge/wire';

/** The link of a till to the computer of the shop. On one computer it is never down. */
export interface Link {
  down: boolean;
  /** When what can be read without it was read, in ms since 1970; undefined: nothing can. */
  copiedAt?: number;
}

const up: Link = { down: false };
const links = new WeakMap<Client, Link>();
const listeners = new Set<() => void>();

/** Calls a listener each time the link came or went, until the answer is called. */
export function onLink(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** What an event says of the link: its state, the time of a copy, and the capabilities that are read from that. */
export function linkOf(event: BusEvent): (Link & { copied: readonly string[] }) | undefined {
  if (event.type !== 'stateChange' || event.domain !== 'link') return undefined;
  const [state, at, ...copied] = event.ids ?? [];
  return { down: state === 'down', copiedAt: at === undefined ? undefined : Number(at), copied };
}

/** Takes what an event says of the link. */
export function noteLink(client: Client, event: BusEvent): void {
  const link = linkOf(event);
  if (!link) return;
  links.set(client, link);
  for (const listener of listeners) listener();
}

/** The state of the link now; another object each time it came or went. */
export const linkNow = (client: Client): Link => links.get(client) ?? up;

/** Whether a call failed by the link: with the key that it had it can be made again. */
export function isCut(error: BusError | null): boolean {
  return error?.code === 'TRANSIENT' && (error.reason === 'network' || error.reason === 'interrupted');
}
