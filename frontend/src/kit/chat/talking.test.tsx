// @vitest-environment jsdom
import { MantineProvider } from '@mantine/core';
import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { ChatUpdate } from '../../bridge/chat';
import { Client } from '../../bridge/client';
import type { RecordRef } from '../../bridge/records';
import { i18n } from '../../language/i18n';
import { own } from '../../language/own';
import { BusProvider } from '../../queries/BusProvider';
import { FakeBackend } from '../../shop/fake/backend';
import { type AgentContext, useAgentContext } from '../../ui/window/useAgentContext';
import { forgetKept } from '../../ui/window/useKept';
import { DomainProvider, noDomain } from '../domain';
import ChatPanel from './ChatPanel';
import { Composer } from './Composer';

beforeEach(() => {
  forgetKept();
  globalThis.ResizeObserver = class {
    observe() {}
    unobserve() {}
    disconnect() {}
  };
  Object.assign(document, { fonts: { addEventListener: () => undefined, removeEventListener: () => undefined } });
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

function Page({ tells }: { tells: AgentContext }) {
  useAgentContext(() => tells);
  return null;
}

/** The panel with a page that tells what is open; what is sent, and how it is stopped. */
function talking(page: AgentContext = { step: 'counter' }, prepare: (backend: FakeBackend) => void = () => undefined) {
  const backend = new FakeBackend();
  prepare(backend);
  const sent: { text: string; pages: AgentContext[] }[] = [];
  const stopped: string[] = [];
  backend.send = async (json: string) => {
    sent.push(JSON.parse(json));
    return JSON.stringify({ conversation_id: 'c1', turn_id: 't1' });
  };
  backend.stop = async (json: string) => {
    stopped.push(JSON.parse(json).conversation_id);
    return '{}';
  };
  const user = userEvent.setup();
  const client = new Client(backend);
  const shown = (...pages: AgentContext[]) => (
    <MantineProvider env="test">
      <BusProvider client={client}>
        <DomainProvider value={noDomain}>
          {pages.map((tells) => (
            <Page key={tells.step} tells={tells} />
          ))}
          <ChatPanel open onClose={() => undefined} onOpenTrace={() => undefined} />
        </DomainProvider>
      </BusProvider>
    </MantineProvider>
  );
  const { rerender } = render(shown(page));
  const tell = (...updates: Partial<ChatUpdate>[]) =>
    act(async () => {
      for (const update of updates)
        backend.emit('chat', { conversation_id: 'c1', turn_id: 't1', type: 'delta', ...update } as ChatUpdate);
    });
  const goTo = (...next: AgentContext[]) => rerender(shown(...next));
  const open = () =>
    screen.queryAllByRole('button', { name: /^Do not tell/ }).map((one) => one.parentElement?.textContent);
  return { user, sent, stopped, tell, goTo, open, field: screen.getByLabelText('Message to the assistant') };
}

it('brings the last sentence back with the upper arrow, into an empty field only', async () => {
  const { user, field, tell } = talking();
  await user.type(field, 'Find Ana.{Enter}');
  await tell({ type: 'turn_started', text: 'Find Ana.' }, { type: 'turn_ended', status: 'done' });
  await user.type(field, '{ArrowUp}');
  expect(field).toHaveProperty('value', 'Find Ana.');
  await user.clear(field);
  await user.type(field, 'And Boris{ArrowUp}');
  expect(field).toHaveProperty('value', 'And Boris');
});

/** A composer with two buttons: one sets its draft, the other hides and shows it. */
function SwitchedComposer() {
  const [draft, setDraft] = useState<string>();
  const [on, setOn] = useState(true);
  return (
    <>
      <button type="button" onClick={() => setDraft('Find Ana.')}>
        Repeat
      </button>
      <button type="button" onClick={() => setOn(!on)}>
        Switch
      </button>
      {on && (
        <Composer
          {...{ draft, open: true, running: false }}
          onDraft={() => setDraft(undefined)}
          onSend={() => undefined}
          onStop={() => undefined}
        />
      )}
    </>
  );
}

it('keeps the typed text when it is hidden and shown after a draft', async () => {
  const user = userEvent.setup();
  render(
    <MantineProvider env="test">
      <BusProvider client={new Client(new FakeBackend())}>
        <DomainProvider value={noDomain}>
          <SwitchedComposer />
        </DomainProvider>
      </BusProvider>
    </MantineProvider>,
  );
  const field = () => screen.getByLabelText('Message to the assistant');
  await user.click(screen.getByText('Repeat'));
  await user.type(field(), ' And Boris.');
  await user.click(screen.getByText('Switch'));
  await user.click(screen.getByText('Switch'));
  expect(field()).toHaveProperty('value', 'Find Ana. And Boris.');
  await user.click(screen.getByText('Repeat'));
  expect(field(), 'the same sentence once more').toHaveProperty('value', 'Find Ana.');
});

it('stops the turn with Escape from anywhere in the conversation, and closes nothing beside it', async () => {
  const { user, field, stopped, tell } = talking();
  const behind = vi.fn();
  document.documentElement.addEventListener('keydown', behind);
  await user.type(field, 'Find Ana.{Enter}');
  behind.mockClear();
  await user.keyboard('{Escape}');
  expect(stopped, 'the turn has not begun').toEqual([]);
  await tell({ type: 'turn_started', text: 'Find Ana.' });
  behind.mockClear();
  await user.click(screen.getByRole('log'));
  await user.keyboard('{Escape}');
  expect(stopped).toEqual(['c1']);
  expect(behind).not.toHaveBeenCalled();
  document.documentElement.removeEventListener('keydown', behind);
});

it('copies a whole reply as it was written', async () => {
  const { user, tell } = talking();
  await tell({ type: 'turn_started', text: 'Total?' }, { type: 'delta', message_id: 'm1', text: 'It is **$4' });
  expect(screen.queryByRole('button', { name: 'Copy the reply' }), 'it is not whole').toBeNull();
  await tell({ type: 'message', message_id: 'm1', text: 'It is **$47.83**.' }, { type: 'turn_ended', status: 'done' });
  await user.click(screen.getByRole('button', { name: 'Copy the reply' }));
  expect(await navigator.clipboard.readText()).toBe('It is **$47.83**.');
  expect(await screen.findByRole('button', { name: 'Copied' })).toBeTruthy();
});

it('shows which records are open, and leaves one out that was taken away for as long as it stays open', async () => {
  const ana = { step: 'customers', ids: ['cus_ana'] };
  const { user, sent, field, goTo, tell } = talking(ana);
  const open = await screen.findByRole('list', { name: 'The assistant is told that these are open' });
  await waitFor(() => expect(within(open).getByText('Ana Ruiz')).toBeTruthy());
  await user.type(field, 'Her orders?{Enter}');
  await tell({ type: 'turn_started', text: 'Her orders?' }, { type: 'turn_ended', status: 'done' });
  expect(sent.at(-1)?.pages).toEqual([ana]);

  await user.click(screen.getByRole('button', { name: 'Do not tell the assistant of Ana Ruiz' }));
  expect(document.activeElement).toBe(field);
  await user.keyboard('And the other one?{Enter}');
  expect(sent.at(-1)?.pages).toEqual([{ step: 'customers', ids: [] }]);

  goTo({ step: 'counter', ids: [] });
  goTo(ana);
  expect(await screen.findByText('Ana Ruiz')).toBeTruthy();
});

it('takes a record away of its kind: one of another kind with the same id stays', async () => {
  const names: Record<string, string> = { customer: 'Ana Ruiz', order: 'Order 1001' };
  const both = { step: 'customers', ids: ['same'] };
  const { user, sent, field, goTo, open } = talking(both, (backend) => {
    backend.replace('entity.names', ({ args }) => ({
      records: (args.records as unknown as RecordRef[]).flatMap((record) =>
        own(names, record.entity) && record.id === 'same' ? [{ ...record, name: names[record.entity] }] : [],
      ),
    }));
  });
  await waitFor(() => expect(open()).toEqual(['Ana Ruiz']));
  goTo({ step: 'orders', ids: ['same'] });
  await waitFor(() => expect(open()).toEqual(['Order 1001']));
  goTo(both, { step: 'orders', ids: ['same'] });
  await waitFor(() => expect(open().toSorted()).toEqual(['Ana Ruiz', 'Order 1001']));
  await user.click(screen.getByRole('button', { name: 'Do not tell the assistant of Order 1001' }));
  expect(open()).toEqual(['Ana Ruiz']);
  await user.type(field, 'Her orders?{Enter}');
  expect(sent.at(-1)?.pages).toContainEqual(both);
  expect(sent.at(-1)?.pages).toContainEqual({ step: 'orders', ids: [] });
});

it('shows no record of which only the id is known, where two kinds have it', async () => {
  const { open } = talking({ step: 'counter', ids: ['same', 'one'] }, (backend) => {
    backend.replace('entity.names', ({ args }) => ({
      records: (args.records as unknown as RecordRef[]).flatMap((record) =>
        record.id === 'same' || record.entity === 'customer'
          ? [{ ...record, name: `${record.entity} ${record.id}` }]
          : [],
      ),
    }));
  });
  await waitFor(() => expect(open()).toEqual(['customer one']));
});

it('shows what the last call of a turn found as rows, three at first, and what others found when it is wanted', async () => {
  const { user, tell } = talking();
  const list = (call_id: string, names: string[]): Partial<ChatUpdate>[] => [
    {
      type: 'call',
      call_id,
      request_id: call_id,
      capability: 'customer.search',
      title: 'Find customers',
      side_effect: 'pure',
      arguments: {},
    },
    {
      ...{ type: 'result', call_id, request_id: call_id, capability: 'customer.search', arguments: {} },
      result: {
        ...{ status: 'success', request_id: call_id, execution_time_ms: 1, replayed: false, timestamp: 0 },
        data: { customers: names.map((name, at) => ({ id: `cus_${at}`, name })) },
      },
    },
  ];
  await tell({ type: 'turn_started', text: 'Who?' }, ...list('k1', ['Ana Ruiz']));
  expect(await screen.findByText(/Ana Ruiz/)).toBeTruthy();
  await tell(...list('k2', ['Ben Silva', 'Cleo Marsh', 'Dana Whitfield', 'Emil Roth']));
  expect(screen.queryByText(/Ana Ruiz/), 'it was looked up on the way').toBeNull();
  expect(screen.getByText(/Dana Whitfield/)).toBeTruthy();
  expect(screen.queryByText(/Emil Roth/)).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Show all 4' }));
  expect(screen.getByText(/Emil Roth/)).toBeTruthy();
  const way = screen.getByRole('button', { name: 'Looked up: Find customers', expanded: false });
  await user.click(way);
  await user.click(screen.getByRole('button', { name: 'Show it' }));
  expect(screen.getByText(/Ana Ruiz/)).toBeTruthy();
  await user.click(way);
  expect(screen.queryByText(/Ana Ruiz/)).toBeNull();
});

it('translates what the built-in assistant passes on, line by line, and nothing that a model says', async () => {
  i18n.load('de', {
    'The cart is empty.': 'Der Korb ist leer.',
    'Cart total': 'Summe',
    '{0} is in {1}.': '{0} liegt in {1}.',
    "{0}'s cart": 'Korb von {0}',
  });
  i18n.activate('de');
  try {
    const { tell } = talking();
    const text = "Guji is in Ana's cart. Cart total: 4 bags.\n- The cart is empty.";
    await tell({ type: 'turn_started', text: 'Und?', model: { endpoint: 'built-in', name: 'built-in assistant' } });
    await tell({ type: 'message', message_id: 'm1', text });
    expect(screen.getByText('Guji liegt in Korb von Ana. Summe: 4 bags.')).toBeTruthy();
    expect(screen.getByText('Der Korb ist leer.')).toBeTruthy();
    await tell({ type: 'turn_started', text: 'Und?', model: { endpoint: 'http://127.0.0.1:1/v1', name: 'mine' } });
    await tell({ type: 'message', message_id: 'm2', text: "Guji is in Ben's cart." });
    expect(screen.getByText("Guji is in Ben's cart.")).toBeTruthy();
  } finally {
    i18n.activate('en');
  }
});

it('draws the latest part of a long conversation, and earlier parts when they are wanted', async () => {
  const { user, tell } = talking();
  const said = Array.from({ length: 100 }, (_, at) => ({
    ...{ type: 'message' as const, message_id: `m${at}`, text: `Sentence ${at}.` },
  }));
  await tell({ type: 'turn_started', text: 'Tell me all.' }, ...said);
  expect(screen.getByText('Sentence 99.')).toBeTruthy();
  expect(screen.queryByText('Sentence 20.')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Show earlier (41)' }));
  expect(screen.getByText('Tell me all.')).toBeTruthy();
  expect(screen.queryByRole('button', { name: /^Show earlier/ })).toBeNull();
});
