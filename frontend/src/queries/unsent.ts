import { type Mutation, type MutationCache, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';

/** Sends what was typed and not sent yet; resolves to whether there was something, rejects when it was refused. */
type Send = () => Promise<boolean>;

const fields = new Set<Send>();

/** A field that sends what was typed a moment later: `send` sends it at once, and waits for what is on its way. */
export function useUnsent(send: Send): void {
  const latest = useRef(send);
  useEffect(() => {
    latest.current = send;
  });
  useEffect(() => {
    const one = () => latest.current();
    fields.add(one);
    return () => {
      fields.delete(one);
    };
  }, []);
}

/** Sends the unsent text of every field of the window; resolves to whether there was one. */
const sendUnsent: Send = async () => (await Promise.all([...fields].map((send) => send()))).includes(true);

/**
 * Sends every unsent text, and waits for the answers of all calls under way in a domain, before a call that depends on
 * them. Resolves to whether there were any, and rejects when one was refused: its part of the page shows the reason.
 */
export function useSettled(): (domain: string) => Promise<boolean> {
  const calls = useQueryClient().getMutationCache();
  return async (domain) => {
    const underWay = () =>
      calls.findAll({ status: 'pending', predicate: ({ meta }) => `${meta?.capability}`.startsWith(`${domain}.`) });
    let was = await sendUnsent();
    for (let now = underWay(); now.length > 0; now = underWay()) {
      was = true;
      await Promise.all(now.map((call) => answered(calls, call)));
    }
    return was;
  };
}

function answered(calls: MutationCache, call: Mutation<unknown, Error, unknown>): Promise<void> {
  return new Promise((resolve, reject) => {
    const look = () => {
      if (call.state.status === 'pending') return;
      leave();
      if (call.state.status === 'error') reject(call.state.error);
      else resolve();
    };
    const leave = calls.subscribe(look);
    look();
  });
}
