import { describe, expect, it } from 'vitest';
import type { ChatUpdate } from '../../bus/chat';
import { applyUpdate, type Called, emptyThread, said, type Thread } from './thread';

const turn = { conversation_id: 'c1', turn_id: 't1' };
const play = (thread: Thread, ...updates: Partial<ChatUpdate>[]) =>
  updates.reduce((at, update) => applyUpdate(at, { ...turn, type: 'delta', ...update } as ChatUpdate, 1000), thread);

const success = {
  ...{ status: 'success' as const, request_id: 'r1', data: { id: 'cus_1', name: 'Ana Ruiz' } },
  ...{ execution_time_ms: 1, replayed: false, timestamp: 0 },
};

describe('applyUpdate', () => {
  const asked = said(emptyThread, 'p1', 'Submit my order');
  const call: Partial<ChatUpdate> = {
    type: 'call',
    call_id: 'k1',
    request_id: 'r1',
    title: 'Show the cart',
    arguments: {},
  };

  it('begins a turn with the sentence that was sent, once', () => {
    const thread = play(asked, { type: 'turn_started', text: 'Submit my order' });
    expect(thread.items).toEqual([{ kind: 'person', id: 'p1', text: 'Submit my order', turnId: 't1' }]);
    expect(thread).toMatchObject({ conversationId: 'c1', running: 't1' });
  });
  it('shows a sentence that came from elsewhere', () => {
    expect(play(emptyThread, { type: 'turn_started', text: 'Hello' }).items).toMatchObject([
      { kind: 'person', text: 'Hello' },
    ]);
  });
  it('puts pieces of a message together and takes the whole one in their place', () => {
    const pieces = play(asked, { message_id: 'm1', text: 'One mo' }, { message_id: 'm1', text: 'ment' });
    expect(pieces.items.at(-1)).toMatchObject({ kind: 'assistant', text: 'One moment' });
    const whole = play(pieces, { type: 'message', message_id: 'm1', text: 'One moment.' });
    expect(whole.items.slice(1)).toMatchObject([{ text: 'One moment.' }]);
  });
  it('says what it waits for until something comes', () => {
    const waits = { type: 'waiting' as const, message_id: 'm1', text: 'Still waiting for it.' };
    expect(play(asked, waits).waiting).toBe('Still waiting for it.');
    expect(play(asked, waits, { message_id: 'm1', text: 'One' }).waiting).toBeUndefined();
    expect(play(asked, { message_id: 'm1', text: 'One' }, waits).waiting).toBeUndefined();
  });
  it('keeps a call open until its result', () => {
    expect((play(asked, call).items.at(-1) as Called).outcome).toBeUndefined();
    const done = play(asked, call, { type: 'result', call_id: 'k1', result: success });
    expect(done.items.at(-1)).toMatchObject({ requestId: 'r1', outcome: { ok: true, at: 1000 } });
    expect(done.names).toEqual({ cus_1: 'Ana Ruiz' });
  });
  it('says why a call was refused', () => {
    const result = {
      status: 'error',
      request_id: 'r1',
      code: 'FORBIDDEN',
      message: 'You said no.',
      retryable: false,
    } as const;
    const refused = play(asked, call, { type: 'result', call_id: 'k1', result });
    expect(refused.items.at(-1)).toMatchObject({ outcome: { ok: false, message: 'You said no.' } });
  });
  it('offers choices until the next sentence', () => {
    const asks = play(asked, {
      type: 'message',
      message_id: 'm',
      text: 'Which?',
      choices: ['A'],
    });
    expect(asks.choices).toHaveLength(1);
    expect(said(asks, 'p2', 'a').choices).toHaveLength(0);
  });
  it('ends the turn, with the reason when it failed', () => {
    const ended = play(asked, { type: 'turn_started' }, { type: 'turn_ended', error: 'The model is not answering.' });
    expect(ended.running).toBeUndefined();
    expect(ended.items.at(-1)).toMatchObject({ kind: 'problem', text: 'The model is not answering.' });
  });
  it('says what had been done when it is stopped', () => {
    const action = { capability: 'cart.addItem', title: 'Add to the cart', text: '', outcome: 'done' as const };
    const stopped = play(asked, { type: 'turn_ended', status: 'stopped', actions: [action] });
    expect(stopped.items.at(-1)).toMatchObject({ kind: 'note', text: 'Stopped. Add to the cart: done.' });
  });
  it('keeps a whole message when a piece of it comes late', () => {
    const thread = play(
      asked,
      { type: 'message', message_id: 'm1', text: 'Done.' },
      { message_id: 'm1', text: 'Done.' },
    );
    expect(thread.items.at(-1)).toMatchObject({ text: 'Done.' });
  });
  it('keeps the outcome when the call comes after its result', () => {
    const thread = play(asked, { ...call, type: 'result', result: success }, call);
    expect(thread.items.filter((item) => item.kind === 'call')).toMatchObject([
      { title: 'Show the cart', outcome: { ok: true } },
    ]);
  });
  it('stays ended when the beginning comes after the end', () => {
    const thread = play(
      asked,
      { type: 'turn_ended', status: 'done' },
      { type: 'turn_started', text: 'Submit my order' },
    );
    expect(thread.running).toBeUndefined();
    expect(thread.items).toHaveLength(1);
  });
  it('knows who answers', () => {
    expect(play(asked, { type: 'turn_started', model: { name: 'built-in assistant' } }).model).toBe(
      'built-in assistant',
    );
  });
});
