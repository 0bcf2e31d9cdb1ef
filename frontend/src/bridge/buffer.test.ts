import { describe, expect, it } from 'vitest';
import type { Stream } from './backend';
import { buffered } from './buffer';

/** A source of events, and the buffer before it. */
function source() {
  const to = new Map<Stream, (payload: string) => void>();
  const on = buffered(['bus', 'approval'], (stream, listener) => {
    to.set(stream, listener);
    return () => to.delete(stream);
  });
  return { on, emit: (stream: Stream, payload: string) => to.get(stream)?.(payload) };
}

describe('buffered', () => {
  it('keeps what came before anybody listened, in order, for all who begin together', async () => {
    const { on, emit } = source();
    emit('approval', 'a');
    emit('approval', 'b');
    const [first, second]: string[][] = [[], []];
    on('approval', (payload) => first?.push(payload));
    on('approval', (payload) => second?.push(payload));
    emit('approval', 'c');
    await Promise.resolve();
    emit('approval', 'd');
    expect([first, second]).toEqual([
      ['a', 'b', 'c', 'd'],
      ['a', 'b', 'c', 'd'],
    ]);
  });
  it('gives what was kept once', async () => {
    const { on, emit } = source();
    emit('bus', 'a');
    on('bus', () => {});
    await Promise.resolve();
    const late: string[] = [];
    on('bus', (payload) => late.push(payload));
    await Promise.resolve();
    expect(late).toEqual([]);
  });
  it('keeps it on when the first listener is gone before it could be told', async () => {
    const { on, emit } = source();
    emit('bus', 'a');
    on('bus', () => {})();
    await Promise.resolve();
    const heard: string[] = [];
    on('bus', (payload) => heard.push(payload));
    await Promise.resolve();
    expect(heard).toEqual(['a']);
  });
  it('stops when it is asked to', async () => {
    const { on, emit } = source();
    const heard: string[] = [];
    const stop = on('bus', (payload) => heard.push(payload));
    await Promise.resolve();
    stop();
    emit('bus', 'a');
    expect(heard).toEqual([]);
  });
});
