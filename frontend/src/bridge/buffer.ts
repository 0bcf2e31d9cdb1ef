import type { Backend, Stream } from './backend';

type Subscribe = Backend['on'];
type Listener = (payload: string) => void;

/**
 * Listens to the streams at once and keeps the events until a listener subscribes:
 * an event that arrives before the page is drawn, such as a confirmation that
 * was open when it was reloaded, is not lost. The kept events go to every listener
 * that subscribes in the same moment as the first.
 */
export function buffered(streams: readonly Stream[], subscribe: Subscribe): Subscribe {
  const listeners = new Map<Stream, Set<Listener>>();
  const waiting = new Map<Stream, string[]>();
  for (const stream of streams) {
    const heard = new Set<Listener>();
    listeners.set(stream, heard);
    waiting.set(stream, []);
    subscribe(stream, (payload) => {
      const kept = waiting.get(stream);
      if (kept) kept.push(payload);
      else for (const listener of heard) listener(payload);
    });
  }
  const deliver = (stream: Stream) => {
    const heard = listeners.get(stream);
    if (!heard?.size) return; // gone again: keep it for the next
    const kept = waiting.get(stream) ?? [];
    waiting.delete(stream);
    for (const payload of kept) for (const listener of heard) listener(payload);
  };
  return (stream, listener) => {
    const heard = listeners.get(stream);
    if (!heard) return subscribe(stream, listener);
    if (heard.size === 0 && waiting.has(stream)) queueMicrotask(() => deliver(stream));
    heard.add(listener);
    return () => heard.delete(listener);
  };
}
