// @vitest-environment jsdom
import { act, cleanup, render, renderHook, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { ChatUpdate } from '../../bridge/chat';
import { Client } from '../../bridge/client';
import { BusProvider } from '../../queries/BusProvider';
import { FakeBackend } from '../../shop/fake/backend';
import { forgetKept, useDraft } from '../../ui/window/useKept';
import { useFilled } from '../palette/filled';
import { useThread } from './useThread';

const turn = { conversation_id: 'c1', turn_id: 't1' };
let drawn = 0;

function Conversation() {
  drawn += 1;
  const { thread } = useThread();
  return <output>{thread.items.map((item) => (item.kind === 'call' ? item.title : item.text)).join(' | ')}</output>;
}

const show = (backend: FakeBackend) =>
  render(
    <BusProvider client={new Client(backend)}>
      <Conversation />
    </BusProvider>,
  );
const text = () => screen.getByRole('status').textContent;
const tell = (backend: FakeBackend, ...updates: Partial<ChatUpdate>[]) => {
  for (const update of updates) backend.emit('chat', { ...turn, type: 'delta', ...update } as ChatUpdate);
};

beforeEach(() => {
  forgetKept();
  drawn = 0;
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

it('keeps the id of the conversation, and draws a reply once per frame', async () => {
  const backend = new FakeBackend();
  const stored = vi.spyOn(Storage.prototype, 'setItem');
  show(backend);
  await act(async () => tell(backend, { type: 'turn_started', text: 'Tell me everything.' }));
  const before = drawn;
  const pieces = Array.from({ length: 1000 }, (_, index) => `word${index} `);
  await act(async () => {
    for (const piece of pieces) tell(backend, { message_id: 'm1', text: piece });
    await new Promise((later) => setTimeout(later, 150));
  });
  expect(text()).toContain('word999');
  expect(drawn - before, 'the whole reply came within a frame').toBeLessThan(5);
  await act(async () =>
    tell(backend, { type: 'message', message_id: 'm1', text: pieces.join('') }, { type: 'turn_ended' }),
  );
  expect(JSON.stringify(stored.mock.calls)).not.toContain('word');
  expect(stored.mock.calls.length).toBeLessThan(5);
});

it('asks for the conversation of before the page was loaded, and misses none of its updates', async () => {
  const backend = new FakeBackend();
  const draft = renderHook(() => useDraft<string>('conversation'));
  act(() => draft.result.current[1]('c1'));
  let answer = () => {};
  backend.invoke = async () => {
    await new Promise<void>((told) => {
      answer = told;
    });
    const updates = [
      { ...turn, type: 'turn_started', text: 'Tell me everything.' },
      { ...turn, type: 'delta', message_id: 'm1', text: 'Well' },
    ];
    const data = { messages: [], turns: [], updates, running: 't1' };
    return JSON.stringify({ status: 'success', request_id: 'r', data, execution_time_ms: 1, timestamp: 0 });
  };
  show(backend);
  await act(async () => {
    tell(
      backend,
      { message_id: 'm1', text: ', let me' },
      { type: 'call', call_id: 'k1', title: 'Show the cart', capability: 'cart.getSummary', arguments: {} },
    );
    answer();
  });
  await waitFor(() => expect(text()).toBe('Tell me everything. | Well […]  | Show the cart'));
  await act(async () => tell(backend, { type: 'message', message_id: 'm1', text: 'Well, let me see.' }));
  expect(text()).toBe('Tell me everything. | Well, let me see. | Show the cart');
});

it('begins one conversation with two sentences, however soon the second follows', async () => {
  const backend = new FakeBackend();
  const sent: (string | undefined)[] = [];
  let answer = () => {};
  backend.send = async (json) => {
    sent.push(JSON.parse(json).conversation_id);
    await new Promise<void>((told) => {
      answer = told;
    });
    return JSON.stringify({ conversation_id: 'c7', turn_id: `t${sent.length}` });
  };
  const { result } = renderHook(useThread, {
    wrapper: ({ children }) => <BusProvider client={new Client(backend)}>{children}</BusProvider>,
  });
  await act(async () => {
    result.current.send('Find Ana.', []);
    result.current.send('And her orders.', []);
  });
  expect(sent).toEqual([undefined]);
  await act(async () => answer());
  await waitFor(() => expect(sent).toEqual([undefined, 'c7']));
  await act(async () => answer());
});

it('opens the form of a suggestion that has one, and invokes nothing', async () => {
  const backend = new FakeBackend();
  const client = new Client(backend);
  const invoked = vi.spyOn(client, 'invokeByName');
  const wrapper = ({ children }: { children: React.ReactNode }) => (
    <BusProvider client={client}>{children}</BusProvider>
  );
  const { result } = renderHook(() => ({ ...useThread(), ...useFilled('cart.setQuantity') }), { wrapper });
  const form = { capability: 'cart.setQuantity', arguments: { quantity: 2 }, parent_request_id: 't1' };
  const suggestion = { ...form, title: 'Change how many', text: 'Open the form: Change how many', form };
  await act(async () => tell(backend, { type: 'turn_started' }, { type: 'turn_ended', suggestions: [suggestion] }));
  await waitFor(() => expect(result.current.thread.suggestions).toHaveLength(1));
  const [shown = suggestion] = result.current.thread.suggestions;
  await act(async () => result.current.tap(shown));
  expect(result.current.filled).toMatchObject(form);
  expect(result.current.thread.suggestions).toEqual([]);
  expect(invoked).not.toHaveBeenCalled();
});
