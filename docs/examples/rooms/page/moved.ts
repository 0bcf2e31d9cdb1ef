import { type Capabilities, type CapabilityName, versions } from './capabilities.gen.js';
import type { Actions } from './store.js';

export type Invoke = <N extends CapabilityName>(
  name: N,
  args: Capabilities[N]['request'],
) => Promise<Capabilities[N]['response']>;

/** Calls capabilities by the route /invoke. */
export const connect = (url: string, token: string): Invoke => async (capability, args) => {
  const headers = { Authorization: `Bearer ${token}` };
  const body = JSON.stringify({ capability, arguments: args, min_version: versions[capability] });
  const result = await (await fetch(`${url}/invoke`, { method: 'POST', headers, body })).json();
  if (result.status !== 'success') throw new Error(result.message ?? result.error);
  return result.data;
};

/** Each step moves one action. A program that has made all of them keeps the lines and not the list. */
export const steps: ((actions: Actions, invoke: Invoke) => void)[] = [
  (a, invoke) => { a.list = async (day) => (await invoke('booking.list', { day })).bookings; },
  (a, invoke) => { a.book = (room, day, hour, title) => invoke('booking.make', { room, day, hour, title }); },
  (a, invoke) => { a.move = (id, hour) => invoke('booking.move', { id, hour }); },
  (a, invoke) => { a.cancel = (id) => invoke('booking.cancel', { id }); },
  (a, invoke) => { a.close = (room) => invoke('room.close', { room }); },
];
