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

/** Sends what was typed anywhere in the window, before something that depends on it; resolves to whether there was something. */
export const sendUnsent: Send = async () => (await Promise.all([...fields].map((send) => send()))).includes(true);
