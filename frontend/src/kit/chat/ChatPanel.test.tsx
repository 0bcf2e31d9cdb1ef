// @vitest-environment jsdom
import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { ChatUpdate } from '../../bridge/chat';
import { show } from '../../shop/fake/show';
import { WaitingBackend } from '../../shop/fake/waiting';
import ChatPanel from './ChatPanel';

/** An application whose model says what a test says, and takes its time over it. */
class Talking extends WaitingBackend {
  readonly sent: { text: string; conversation_id?: string }[] = [];
  readonly #taken: ((id: string | undefined) => void)[] = [];
  stopped = 0;

  override async send(json: string): Promise<string> {
    const turn = this.sent.push(JSON.parse(json));
    const id = await new Promise<string | undefined>((taken) => this.#taken.push(taken));
    if (id === undefined) return JSON.stringify({ error: { code: 'TRANSIENT', message: 'Nobody answers.' } });
    return JSON.stringify({ conversation_id: id, turn_id: `t${turn}` });
  }

  override async stop(): Promise<string> {
    this.stopped += 1;
    return '{}';
  }

  /** The sentence that was sent first of those that wait has come through, into the conversation of that id. */
  takes(id: string | undefined): Promise<void> {
    return act(async () => this.#taken.shift()?.(id));
  }

  tells(conversation_id: string, turn_id: string, ...updates: Partial<ChatUpdate>[]): Promise<void> {
    return act(async () => {
      for (const update of updates) this.emit('chat', { conversation_id, turn_id, ...update } as ChatUpdate);
    });
  }
}

const words = { examples: [], about: '' };

async function talking() {
  const backend = new Talking();
  backend.wait('conversation.get');
  backend.wait('conversation.list');
  const hands = show(
    backend,
    <ChatPanel
      {...(words as object as Parameters<typeof ChatPanel>[0])}
      open
      onClose={() => {}}
      onOpenTrace={() => {}}
    />,
  );
  return { backend, ...hands, field: await screen.findByRole('textbox', { name: 'Message to the assistant' }) };
}

const said = () => screen.getByRole('log', { name: 'What was said' }).textContent;
const button = (name: string | RegExp) => screen.getByRole('button', { name });

it('sends a sentence once, however often Enter is pressed, and leaves room for the next', async () => {
  const { backend, user, field } = await talking();
  await user.type(field, 'Find Ana{Enter}{Enter}and her orders');
  expect(backend.sent.map(({ text }) => text)).toEqual(['Find Ana']);
  expect(field).toHaveProperty('value', 'and her orders');
  await backend.takes('c1');
  await user.type(field, '{Enter}');
  expect(backend.sent.map(({ conversation_id }) => conversation_id)).toEqual([undefined, 'c1']);
});

it('lets somebody type while a reply comes, and sends nothing until it has ended', async () => {
  const { backend, user, field } = await talking();
  await user.type(field, 'Find Ana{Enter}');
  await backend.takes('c1');
  await backend.tells('c1', 't1', { type: 'turn_started', text: 'Find Ana' });
  await user.type(field, 'And her');
  await backend.tells('c1', 't1', { type: 'delta', message_id: 'm1', text: 'There are' });
  await user.type(field, ' orders{Enter}');
  await backend.tells('c1', 't1', { type: 'delta', message_id: 'm1', text: ' two.' });
  expect(document.activeElement).toBe(field);
  expect(field).toHaveProperty('value', 'And her orders');
  expect(backend.sent).toHaveLength(1);
  await backend.tells(
    'c1',
    't1',
    { type: 'message', message_id: 'm1', text: 'There are two.' },
    { type: 'turn_ended' },
  );
  await user.keyboard('{Enter}');
  expect(backend.sent.map(({ text }) => text)).toEqual(['Find Ana', 'And her orders']);
});

it('keeps the focus in its field after the buttons that send and stop', async () => {
  const { backend, user, field } = await talking();
  await user.type(field, 'Find Ana');
  await user.click(button('Send'));
  expect(document.activeElement).toBe(field);
  await backend.takes('c1');
  await backend.tells('c1', 't1', { type: 'turn_started', text: 'Find Ana' });
  await user.click(button(/^Stop/));
  expect(backend.stopped).toBe(1);
  expect(document.activeElement).toBe(field);
});

it('tells nothing of a conversation that was left before its sentence had come through', async () => {
  const { backend, user, field } = await talking();
  await user.type(field, 'Find Ana{Enter}');
  await user.click(button('New conversation'));
  await backend.tells('c1', 't1', { type: 'turn_started', text: 'Find Ana' });
  await backend.takes('c1');
  await backend.tells('c1', 't1', { type: 'message', message_id: 'm1', text: 'Here she is.' }, { type: 'turn_ended' });
  expect(said()).not.toContain('Ana');
  await user.type(field, 'Find Ben{Enter}');
  expect(backend.sent.at(-1)).toMatchObject({ text: 'Find Ben' });
  expect(backend.sent.at(-1)?.conversation_id, 'a conversation of its own').toBeUndefined();
  await backend.takes('c2');
  await backend.tells('c2', 't2', { type: 'turn_started', text: 'Find Ben' });
  expect(said()).toContain('Find Ben');
});

it('shows the conversation that was opened last, whichever answer comes first', async () => {
  const { backend, user, field } = await talking();
  const open = async (title: string) => {
    const asked = backend.asks.length;
    await user.click(button('Conversations'));
    await waitFor(() => expect(backend.asks.length).toBeGreaterThan(asked - 1));
    for (const one of backend.asks) {
      const conversations = ['a', 'b'].map((id) => ({ id, title: `About ${id}`, updatedAt: 1, tokens: {} }));
      if (one.capability === 'conversation.list') one.answer({ conversations, hasMore: false });
    }
    await user.click(await screen.findByRole('button', { name: new RegExp(`^${title}`) }));
    expect(document.activeElement).toBe(field);
  };
  const told = (id: string) => {
    const one = backend.asks.find(
      ({ capability, arguments: args }) => capability === 'conversation.get' && args.conversationId === id,
    );
    return act(async () =>
      one?.answer({
        updates: [{ type: 'message', conversation_id: id, turn_id: 't', message_id: 'm', text: `All of ${id}` }],
      }),
    );
  };
  await open('About a');
  await open('About b');
  await told('b');
  await told('a');
  await waitFor(() => expect(said()).toContain('All of b'));
  await user.type(field, 'Go on{Enter}');
  expect(backend.sent).toMatchObject([{ text: 'Go on', conversation_id: 'b' }]);
});

it('keeps a sentence that could not be sent, says why, and sends it again', async () => {
  const { backend, user, field } = await talking();
  await user.type(field, 'Find Ana{Enter}');
  await backend.takes(undefined);
  const log = within(screen.getByRole('log', { name: 'What was said' }));
  await log.findByText('Nobody answers.');
  expect(said()).toContain('Find Ana');
  await user.type(field, '{ArrowUp}{Enter}');
  expect(backend.sent.map(({ text }) => text)).toEqual(['Find Ana', 'Find Ana']);
});

it('does one suggestion for two clicks in one place', async () => {
  const { backend, user, field } = await talking();
  backend.wait('cart.clear');
  backend.wait('cart.hold');
  await user.type(field, 'Hello{Enter}');
  await backend.takes('c1');
  const suggestions = ['cart.clear', 'cart.hold'].map((capability) => ({
    ...{ capability, title: capability, text: capability, arguments: {}, parent_request_id: 't1', reversible: true },
  }));
  await backend.tells('c1', 't1', { type: 'turn_started' }, { type: 'turn_ended', status: 'done', suggestions });
  const first = () => within(screen.getByRole('group', { name: 'Suggested next steps' })).getAllByRole('button')[0];
  for (let clicks = 0; clicks < 2; clicks++) await user.click(first() as HTMLElement);
  expect(backend.asks.map(({ capability }) => capability)).toEqual(['cart.clear']);
  await user.click(button('cart.hold'));
  expect(backend.asks.map(({ capability }) => capability)).toEqual(['cart.clear', 'cart.hold']);
  expect(screen.queryByRole('group', { name: 'Suggested next steps' })).toBeNull();
});
