import { describe, expect, it } from 'vitest';
import type { ChatUpdate } from '../../bridge/chat';
import {
  applyUpdate,
  type Called,
  emptyThread,
  interrupted,
  lastSaid,
  recalled,
  replyOf,
  said,
  type Thread,
  tapped,
} from './thread';

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
      choices: [{ field: 'letter', options: [{ value: 'a', title: 'A' }] }],
    });
    expect(asks.choices).toHaveLength(1);
    expect(said(asks, 'p2', 'a').choices).toHaveLength(0);
  });
  it('ends the turn, with the reason when it failed', () => {
    const ended = play(asked, { type: 'turn_started' }, { type: 'turn_ended', error: 'The model is not answering.' });
    expect(ended.running).toBeUndefined();
    expect(ended.items.at(-1)).toMatchObject({ kind: 'problem', text: 'The model is not answering.' });
  });
  it('leaves what was done to the words of the turn that was stopped', () => {
    const told = { type: 'message' as const, message_id: 'm', text: 'Stopped. Nothing was changed.' };
    const stopped = play(asked, told, { type: 'turn_ended', status: 'stopped' });
    expect(stopped.items.slice(1)).toMatchObject([{ kind: 'assistant', text: 'Stopped. Nothing was changed.' }]);
    expect(stopped.running).toBeUndefined();
  });
  it('knows what can be taken back', () => {
    const action = {
      request_id: 'r1',
      capability: 'a',
      title: 'A',
      text: '',
      outcome: 'done' as const,
      reversible: true,
    };
    const ended = play(
      asked,
      call,
      { type: 'result', call_id: 'k1', result: success },
      { type: 'turn_ended', actions: [action] },
    );
    expect(ended.items.at(-1)).toMatchObject({ undoable: true });
  });
  it('offers what may be done next, until the next sentence', () => {
    const suggestion = { capability: 'a', title: 'A', text: 'A: b', arguments: {}, parent_request_id: 't1' };
    const ended = play(asked, { type: 'turn_ended', suggestions: [suggestion] });
    expect(ended.suggestions).toEqual([suggestion]);
    expect(said(ended, 'p2', 'no').suggestions).toEqual([]);
    const done = tapped(ended, suggestion, { id: 's1', startedAt: 0, outcome: { ok: true, at: 1 } });
    expect(done.suggestions).toEqual([]);
    expect(done.items.at(-1)).toMatchObject({ kind: 'call', title: 'A', outcome: { ok: true } });
  });
  it('offers all of it as one, until one of it is done', () => {
    const [one, other, plan] = ['a', 'b', 'plan.propose'].map((capability) => ({
      ...{ capability, title: '', text: capability, arguments: {}, parent_request_id: 't1', reversible: true },
    }));
    if (!one || !other || !plan) throw new Error('three were made');
    const ended = play(asked, { type: 'turn_ended', suggestions: [one, other], plan });
    expect(ended.plan).toEqual(plan);
    expect(said(ended, 'p2', 'no').plan).toBeUndefined();
    expect(tapped(ended, one, { id: 's1', startedAt: 0 })).toMatchObject({
      ...{ suggestions: [one, other], taken: [one], plan: undefined }, // in its place still: a second click does nothing
    });
    const done = tapped(ended, plan, { id: 's1', startedAt: 0, outcome: { ok: true, at: 1 } });
    expect(done).toMatchObject({ suggestions: [], plan: undefined });
    expect(done.items.at(-1)).toMatchObject({ capability: 'plan.propose', undoable: true });
  });
  it('says what a turn cost', () =>
    expect(play(asked, { type: 'turn_ended', usage: { input: 1200, output: 34 } }).items.at(-1)).toMatchObject({
      kind: 'note',
      text: '1,200 tokens read, 34 written',
    }));
  it('says what it cost in money where a price is set', () => {
    const costs = [{ amount: '0.0034', currency: 'USD', text: '$0.0034' }];
    const ended = play(asked, { type: 'turn_ended', usage: { input: 10, estimated: true, costs } });
    expect(ended.items.at(-1)).toMatchObject({ text: 'About 10 tokens read, 0 written · $0.0034' });
  });
  it('knows when another model would answer', () => {
    const fails = { type: 'turn_ended', status: 'error', error: 'Nothing answers there.' } as const;
    const elsewhere = { type: 'turn_started', model: { endpoint: 'http://localhost:1/v1', name: 'm' } } as const;
    expect(play(asked, elsewhere, fails).broken).toBe(true);
    expect(play(asked, { type: 'turn_started', model: { endpoint: 'built-in' } }, fails).broken).toBe(false);
  });
  it('does not mix in another conversation', () => {
    const thread = play(asked, { type: 'turn_started' });
    expect(play(thread, { conversation_id: 'c2', type: 'message', message_id: 'm', text: 'Else.' })).toBe(thread);
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

describe('recalled', () => {
  const told = (...updates: Partial<ChatUpdate>[]) =>
    updates.map((update) => ({ ...turn, type: 'delta', ...update }) as ChatUpdate);
  const begun = told(
    { type: 'turn_started', text: 'Add a Guji' },
    { type: 'message', message_id: 'm1', text: 'One moment.' },
    { type: 'call', call_id: 'k1', request_id: 'r1', title: 'Add to the cart', arguments: {} },
    { type: 'result', call_id: 'k1', request_id: 'r1', result: { ...success, execution_time_ms: 40 } },
    { type: 'delta', message_id: 'm2', text: 'It is in ' },
  );

  const earlier = told(
    { turn_id: 't0', type: 'turn_started', text: 'Hello' },
    { turn_id: 't0', type: 'message', message_id: 'm0', text: 'Good morning.' },
    { turn_id: 't0', type: 'result', call_id: 'k0', title: 'Show the cart', arguments: { of: 'Ana' }, result: success },
    { turn_id: 't0', type: 'turn_ended', status: 'done' },
  );

  it('has what was said and done in each turn, and the turn that goes on', () => {
    const thread = recalled('c1', { running: 't1', updates: [...earlier, ...begun] }, 1000);
    expect(thread.items).toMatchObject([
      { kind: 'person', text: 'Hello' },
      { kind: 'assistant', text: 'Good morning.' },
      { kind: 'call', title: 'Show the cart', arguments: { of: 'Ana' }, outcome: { ok: true } },
      { kind: 'person', text: 'Add a Guji' },
      { kind: 'assistant', text: 'One moment.' },
      { kind: 'call', id: 'k1', startedAt: 1000, outcome: { ok: true, at: 1040 } },
      { kind: 'assistant', text: 'It is in  […] ' },
    ]);
    expect(thread).toMatchObject({ conversationId: 'c1', running: 't1' });
  });
  it('has the end of a turn that was not heard', () => {
    const suggestions = [
      { capability: 'cart.clear', title: '', text: 'Clear', arguments: {}, parent_request_id: 't1' },
    ];
    const ended = told({ type: 'turn_ended', status: 'done', suggestions });
    const thread = recalled('c1', { updates: [...begun, ...ended] }, 1000);
    expect(thread).toMatchObject({ running: undefined, ended: 't1', suggestions });
  });
  it('begins a turn with the new sentence, not an old one', () => {
    const thread = recalled('c1', { updates: earlier }, 1000);
    expect(lastSaid(thread)).toBe('Hello');
    const next = play(said(thread, 'p', 'And now?'), { type: 'turn_started', turn_id: 't9', text: 'And now?' });
    expect(next.items.filter(({ kind }) => kind === 'person')).toHaveLength(2);
  });
});

describe('interrupted', () => {
  const begun = play(
    said(emptyThread, 'p1', 'Add a Guji'),
    { type: 'turn_started' },
    { type: 'delta', message_id: 'm1', text: 'One mo' },
    { type: 'call', call_id: 'k1', request_id: 'r1', title: 'Add to the cart', arguments: {} },
    { type: 'call', call_id: 'k2', request_id: 'r2', title: 'Show the cart', arguments: {} },
    { type: 'call', call_id: 'k3', request_id: 'r3', title: 'Submit the order', arguments: {} },
  );
  const later = interrupted(interrupted(begun));
  it('marks where a piece may be missing, until the whole has come', () => {
    expect(later.items[1]).toMatchObject({ text: 'One mo […] ' });
    const more = play(later, { type: 'delta', message_id: 'm1', text: 'for you.' });
    expect(more.items[1]).toMatchObject({ text: 'One mo […] for you.' });
    const whole = play(more, { type: 'message', message_id: 'm1', text: 'One moment, for you.' });
    expect(interrupted(whole).items[1]).toMatchObject({ text: 'One moment, for you.' });
  });
  it('tells at the end what became of calls whose answer was not heard', () => {
    const actions: ChatUpdate['actions'] = [
      { request_id: 'r1', capability: 'cart.addItem', title: 'Add to the cart', text: 'Added.', outcome: 'done' },
      { request_id: 'r3', capability: 'checkout.submit', title: 'Submit', text: 'Declined.', outcome: 'refused' },
    ];
    const { items } = play(later, { type: 'turn_ended', actions });
    expect(items.slice(2)).toMatchObject([
      { id: 'k1', outcome: { ok: true } },
      { id: 'k3', outcome: { ok: false, message: 'Declined.' } },
    ]);
    expect(play(begun, { type: 'turn_ended', actions }).items, 'all was heard: an answer may still come').toHaveLength(
      5,
    );
  });
  it('is nothing where no turn runs', () => {
    expect(interrupted(emptyThread)).toBe(emptyThread);
  });
});

describe('replyOf', () => {
  const first = play(emptyThread, { type: 'turn_started', text: 'Find Ana' }, { message_id: 'm1', text: 'Loo' });
  it('is none while it comes', () => expect(replyOf(first)).toBeUndefined());
  it('is all that was said in the turn that ended', () => {
    const both = play(first, { type: 'message', message_id: 'm1', text: 'Looking.' });
    const done = play(both, { type: 'message', message_id: 'm2', text: 'Found.' }, { type: 'turn_ended' });
    expect(replyOf(done)).toBe('Looking.\nFound.');
    const next = play(done, { type: 'turn_started', turn_id: 't2' }, { turn_id: 't2', message_id: 'm3', text: 'We' });
    expect(replyOf(play(next, { type: 'turn_ended', turn_id: 't2' }))).toBe('We');
  });
});
