// @vitest-environment jsdom
import { MantineProvider } from '@mantine/core';
import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type ReactNode, useState } from 'react';
import { afterEach, beforeAll, expect, it } from 'vitest';
import type { Backend, Stream } from '../bridge/backend';
import { forgetKept } from '../ui/window/useKept';
import { UndoNotices } from './activity/UndoNotices';
import { Approvals } from './approvals/Approvals';
import AuditPage from './audit/AuditPage';
import { RecordFilter } from './audit/RecordFilter';
import ChatPanel from './chat/ChatPanel';
import { noDomain } from './domain';
import { KitProvider } from './KitProvider';
import { Palette } from './palette/Palette';
import './palette/CommandForm'; // there when it is wanted

const names: Record<string, string> = { 'ticket t1': 'The printer is on fire', 'agent kim': 'Kim Doe' };

/** A record of its audit log. */
const record = {
  ...{ seq: 1, time: 0, kind: 'invocation', request_id: 'r1', trace_id: 'r1', capability: 'ticket.close' },
  ...{ caller: { type: 'ui', person: 'kim' }, arguments: { ticketId: 't1' }, status: 'success', duration_ms: 1 },
  triggering_message: 'Close @[An earlier name](ticket:t1) like @[A secret](ticket:t9)',
  ...{ facts: { agentId: 'kim' }, effects: [{ table: 'notes', op: 'insert', after: { ticket_id: 't1', by: 'kim' } }] },
};

/** The application of somebody else: a help desk with two capabilities, and nothing of a shop. */
class HelpDesk implements Backend {
  readonly asked: { capability: string; arguments: object }[] = [];
  readonly sent: string[] = [];
  cards: object[] = [];
  readonly #listeners = new Map<(payload: string) => void, Stream>();
  async manifest(json: string) {
    if (JSON.parse(json).next) return '{}';
    if (JSON.parse(json).cards) return JSON.stringify({ cards: this.cards });
    const ticketId = { type: 'string', title: 'Ticket', 'x-entity': 'ticket' };
    const sources = { ticket: 'ticket.list#/tickets' };
    const reply = { type: 'string', title: 'Reply' };
    const properties = { ticketId, reply };
    const capabilities = [
      { name: 'ticket.close', title: 'Close a ticket', side_effect: 'ui-only', available: true, reversible: true },
      {
        ...{ name: 'ticket.list', title: 'Show the queue', side_effect: 'pure', available: true },
        ...{ paginated: true, searchable: true, filterable: true },
        input_schema: {
          type: 'object',
          properties: {
            ...{ cursor: { type: 'string' }, limit: { type: 'integer' }, mine: { type: 'boolean', title: 'Mine' } },
            query: { type: 'string', title: 'Words' },
          },
        },
      },
      { name: 'entity.names', title: 'Names of records', side_effect: 'pure', available: true, passive: true },
    ].map((entry) => ({ description: `${entry.title}.`, input_schema: { type: 'object' }, sources, ...entry }));
    Object.assign(capabilities[0] ?? {}, { input_schema: { type: 'object', properties, required: ['ticketId'] } });
    const entities = [
      { type: 'agent', title: 'Agent', sources: [] },
      {
        type: 'ticket',
        title: 'Ticket',
        display: '{number}: {text}',
        link: 'tickets/{id}',
        sources: ['ticket.list#/tickets'],
      },
    ];
    const application = { name: 'Tickets', version: '1' };
    return JSON.stringify({ schema_version: '0.2.0', application, capabilities, entities });
  }
  async invoke(json: string) {
    const { capability, arguments: args, request_id } = JSON.parse(json);
    this.asked.push({ capability, arguments: args });
    const data = this.#answer(capability, args);
    return JSON.stringify({ status: 'success', request_id, data, execution_time_ms: 1, replayed: false, timestamp: 0 });
  }
  #answer(capability: string, args: { records?: { entity: string; id: string }[]; mine?: boolean; cursor?: string }) {
    const named = (args.records ?? []).map((record) => ({ ...record, name: names[`${record.entity} ${record.id}`] }));
    const answers: Record<string, object> = {
      'ticket.list': args.cursor
        ? { tickets: [{ id: 't2', number: 8, text: 'No paper', state: 'open', agentId: 'kim' }] }
        : { tickets: [{ id: 't1', number: 7, text: names['ticket t1'] }], ...(args.mine && { nextCursor: 'p2' }) },
      'entity.names': { records: named.filter(({ name }) => name) },
      'audit.trace': { request_id: 'r1', records: [record] },
      'audit.search': { records: [record], hasMore: false },
    };
    return answers[capability] ?? {};
  }
  cancel = async () => '{}';
  send = async (json: string) => {
    this.sent.push(JSON.parse(json).text);
    return '{"conversation_id":"c1","turn_id":"t1"}';
  };
  stop = async () => '{}';
  decide = async () => '{}';
  pickFile = async () => '{}';
  dropFile = async () => '{}';
  on(stream: Stream, listener: (payload: string) => void) {
    this.#listeners.set(listener, stream);
    return () => this.#listeners.delete(listener);
  }
  emit(stream: Stream, event: object) {
    for (const [listener, to] of this.#listeners) if (to === stream) listener(JSON.stringify(event));
  }
}

const opened: string[] = [];
const domain = {
  useOpenLink: () => (link: string) => opened.push(link),
  people: 'agent',
  vocabulary: { ...noDomain.vocabulary, references: { by: 'agent' } },
};

function Page() {
  const [chosen, choose] = useState<string>();
  return (
    <>
      <Approvals Fields={() => null} />
      <Palette chosen={chosen} onChosen={choose} onClose={() => undefined} onOpenTrace={() => undefined} />
    </>
  );
}

const show = (backend: HelpDesk, page: ReactNode = <Page />) =>
  render(
    <MantineProvider env="test">
      <KitProvider backend={backend} domain={domain}>
        {page}
      </KitProvider>
    </MantineProvider>,
  );

beforeAll(() => {
  globalThis.ResizeObserver = class {
    observe() {}
    unobserve() {}
    disconnect() {}
  };
  const fonts = { addEventListener: () => undefined, removeEventListener: () => undefined };
  Object.assign(document, { fonts });
});
afterEach(() => {
  cleanup();
  forgetKept();
  opened.length = 0;
});

it('runs a command of any manifest from the palette, with its fields and look-ups', async () => {
  const user = userEvent.setup();
  const backend = new HelpDesk();
  show(backend);
  await user.click(await screen.findByRole('option', { name: /Close a ticket/ }));
  await user.click(await screen.findByRole('combobox', { name: /Ticket/ }));
  await user.keyboard('{ArrowDown}');
  await user.click(await screen.findByRole('option', { name: /^7: The printer/ }));
  await user.type(screen.getByRole('textbox', { name: 'Reply' }), 'Water is on its way');
  await user.click(screen.getByRole('button', { name: 'Close a ticket' }));
  await screen.findByText(/Done/);
  const asked = { ticketId: 't1', reply: 'Water is on its way' };
  expect(backend.asked.at(-1)).toEqual({ capability: 'ticket.close', arguments: asked });
});

it('shows the rows of a list page by page under what it is asked for', async () => {
  const user = userEvent.setup();
  const backend = new HelpDesk();
  show(backend);
  await user.click(await screen.findByRole('option', { name: /Show the queue/ }));
  const words = await screen.findByRole('textbox', { name: 'Words' });
  expect(screen.queryByRole('checkbox')).toBeNull();
  expect(screen.queryByLabelText(/cursor|limit/i)).toBeNull();
  await user.type(words, 'fire{Enter}');
  expect(await screen.findByText('1 row')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Narrow it down' }));
  await user.click(screen.getByRole('checkbox', { name: 'Mine' }));
  await user.click(screen.getByRole('button', { name: 'Show the queue' }));
  await user.click(await screen.findByRole('button', { name: 'Show more' }));
  expect(await screen.findByText('2 rows')).toBeTruthy();
  expect(backend.asked.at(-1)?.arguments).toEqual({ query: 'fire', mine: true, cursor: 'p2' });
  expect(screen.getAllByRole('listitem').at(1)?.textContent).toBe('8: No paperState: open');
  await user.click(screen.getByRole('button', { name: '8: No paper' }));
  expect(opened.at(-1)).toBe('tickets/t2');
});

it('shows the card of any call, its rows by their own names', async () => {
  const backend = new HelpDesk();
  show(backend);
  await screen.findByRole('option', { name: /Close a ticket/ });
  const card = {
    ...{
      approval_id: 'a1',
      request_id: 'r1',
      conversation_id: 'c1',
      capability: 'ticket.close',
      side_effect: 'ui-only',
    },
    ...{ title: 'Close a ticket', sentence: 'Close “The printer is on fire”', expires_at: Date.now() + 60_000 },
    arguments: [{ pointer: '/ticketId', label: 'Ticket', value: 't1', text: 'The printer is on fire' }],
    effects: [
      { table: 'open_tickets', key: { id: 't1' }, op: 'update', before: { state: 'open' }, after: { state: 'x' } },
    ],
  };
  backend.cards = [card];
  act(() => backend.emit('approval', { type: 'opened', card }));
  const text = (await screen.findByRole('article', { name: card.sentence })).textContent;
  expect(text).toMatch(/Open tickets.*Stateopen → x/s);
});

it('names the records on a card as entity.names does, in one call', async () => {
  const backend = new HelpDesk();
  show(backend);
  await screen.findByRole('option', { name: /Close a ticket/ });
  const card = {
    ...{ approval_id: 'a1', request_id: 'r1', conversation_id: 'c1', capability: 'ticket.close' },
    ...{ side_effect: 'ui-only', title: 'Close a ticket', sentence: 'Close it', expires_at: Date.now() + 60_000 },
    arguments: [{ pointer: '/ticketId', label: 'Ticket', value: 't1', text: '' }],
    facts: { agentId: 'kim' },
    effects: [{ table: 'notes', op: 'insert', after: { ticket_id: 't1', by: 'kim' } }],
  };
  backend.cards = [card];
  act(() => backend.emit('approval', { type: 'opened', card }));
  const shown = await screen.findByRole('article', { name: 'Close it' });
  await waitFor(() => expect(shown.textContent).toMatch(/TicketThe printer is on fire.*ByKim DoeTicketThe printer/s));
  expect(backend.asked.filter(({ capability }) => capability === 'entity.names')).toHaveLength(1);
  for (const link of within(shown).getAllByRole('button', { name: 'The printer is on fire' })) {
    await userEvent.click(link);
  }
  expect(opened, 'of an argument, and of a row').toEqual(['tickets/t1', 'tickets/t1']);
});

it('names the records and people in a step of the audit log', async () => {
  const backend = new HelpDesk();
  show(backend, <AuditPage requestId="r1" onGo={() => undefined} />);
  const step = await screen.findByRole('listitem', { current: 'step' });
  await waitFor(() =>
    expect(step.textContent).toMatch(/Kim Doe.*TicketThe printer is on fireRecord.*ByKim DoeTicketThe printer/s),
  );
});

it('names the records in a sentence for its reader, who may not read all of them', async () => {
  const backend = new HelpDesk();
  show(backend, <AuditPage requestId="r1" onGo={() => undefined} />);
  const sentence = await screen.findByText(/^Close/, { selector: 'blockquote' });
  await waitFor(() => expect(sentence.textContent).toBe('Close @The printer is on fire like @t9'));
  const asked = backend.asked.find(({ capability }) => capability === 'entity.names')?.arguments as {
    records: object[];
  };
  expect(Object.keys(asked.records[0] ?? {})).toEqual(['entity', 'id']);
});

it('finds a record by name in the filter of the audit log, and asks for what was done about it', async () => {
  const user = userEvent.setup();
  const backend = new HelpDesk();
  show(backend, <AuditPage onGo={() => undefined} />);
  expect(await screen.findByRole('row', { name: /Close a ticket.*Kim Doe/ })).toBeTruthy();
  const field = screen.getByRole('combobox', { name: 'Record it is about' });
  await user.type(field, 'print');
  await user.click(await screen.findByRole('option', { name: /^7: The printer is on fire/ }));
  await waitFor(() => expect(backend.asked.at(-1)?.arguments).toMatchObject({ subject: 't1' }));
  expect(field).toHaveProperty('value', 'The printer is on fire');
});

it('names the record of a filter of which only the id is kept', async () => {
  show(new HelpDesk(), <RecordFilter value="kim" onChange={() => undefined} />);
  const field = await screen.findByRole('combobox', { name: 'Record it is about' });
  await waitFor(() => expect(field).toHaveProperty('value', 'Kim Doe'));
});

it('names what was done in the notice with the undo', async () => {
  const backend = new HelpDesk();
  show(
    backend,
    <>
      <Page />
      <UndoNotices />
    </>,
  );
  await screen.findByRole('option', { name: /Close a ticket/ });
  const done = { request_id: 'r1', capability: 'ticket.close', status: 'success', caller: { type: 'ui' } };
  act(() => {
    backend.emit('bus', { type: 'invocation', ...done });
    backend.emit('bus', { type: 'stateChange', request_id: 'r1', domain: 'ticket', ids: ['t1', 'unknown'] });
    backend.emit('bus', { type: 'stateChange', request_id: 'r2', domain: 'ticket', ids: ['kim'] });
  });
  const notice = await screen.findByRole('region', { name: 'Just done' });
  await userEvent.click(await within(notice).findByRole('button', { name: 'The printer is on fire' }));
  expect(opened).toEqual(['tickets/t1']);
  expect(notice.textContent).toBe('Close a ticket: done.The printer is on fire');
});

const chat = { open: true, onClose: () => undefined, onOpenTrace: () => undefined };

it('finds a record by @ in a message, and sends its id', async () => {
  const user = userEvent.setup();
  const backend = new HelpDesk();
  show(backend, <ChatPanel {...chat} />);
  const field = await screen.findByRole('textbox', { name: 'Message to the assistant' });
  await user.type(field, 'Close @print{Enter}');
  expect(backend.sent, 'nothing is sent while it is sought').toEqual([]);
  const option = await screen.findByRole('option', { name: /^7: The printer is on fire/, selected: true });
  expect(field.getAttribute('aria-activedescendant')).toBe(option.id);
  expect(field.getAttribute('aria-controls')).toBe(screen.getByRole('listbox').id);
  await user.keyboard('{ArrowDown}{Enter}');
  expect(screen.queryByRole('listbox')).toBeNull();
  await user.keyboard('now{Enter}');
  expect(backend.sent).toEqual(['Close @[7: The printer is on fire](ticket:t1) now']);
  const said = screen.getByRole('log', { name: 'What was said' });
  await user.click(await within(said).findByRole('button', { name: '@The printer is on fire' }));
  expect(opened).toEqual(['tickets/t1']);

  await user.type(field, 'Close @print');
  await screen.findByRole('listbox');
  await user.keyboard('{Escape}');
  expect(screen.queryByRole('listbox')).toBeNull();
  await user.keyboard('{Enter}');
  expect(backend.sent.at(-1), 'no record is meant').toBe('Close @print');
});

it('reads a reply out when it is whole, and leads back to the message field for a new conversation', async () => {
  const backend = new HelpDesk();
  show(backend, <ChatPanel {...chat} />);
  const field = await screen.findByRole('textbox', { name: 'Message to the assistant' });
  const turn = { conversation_id: 'c1', turn_id: 't1' };
  const tell = (...updates: object[]) =>
    act(async () => {
      for (const update of updates) backend.emit('chat', { ...turn, ...update });
      await new Promise((later) => setTimeout(later, 60));
    });
  const read = () => screen.getAllByRole('status').map(({ textContent }) => textContent);
  const log = screen.getByRole('log', { name: 'What was said' });
  expect(log.getAttribute('aria-live')).toBe('off');
  await tell({ type: 'turn_started', text: 'Close it.' }, { type: 'delta', message_id: 'm1', text: 'The ticket ' });
  expect(log.textContent).toContain('The ticket');
  expect(read().join()).not.toContain('The ticket');
  await tell({ type: 'message', message_id: 'm1', text: 'The ticket is closed.' }, { type: 'turn_ended' });
  expect(read()).toContain('The ticket is closed.');
  const anew = screen.getByRole('button', { name: 'New conversation' });
  anew.focus();
  await userEvent.click(anew);
  expect(document.activeElement).toBe(field);
});

it('leaves a trace on Escape, but not on that of a field elsewhere', async () => {
  const user = userEvent.setup();
  let left = 0;
  const back = () => {
    left += 1;
  };
  show(
    new HelpDesk(),
    <>
      <AuditPage requestId="r1" onGo={back} />
      <textarea aria-label="Elsewhere" />
    </>,
  );
  await screen.findByRole('listitem', { current: 'step' });
  await user.click(screen.getByRole('textbox', { name: 'Elsewhere' }));
  await user.keyboard('{Escape}');
  expect(left).toBe(0);
  await user.click(document.body);
  await user.keyboard('{Escape}');
  expect(left).toBe(1);
});

it('leads from a refused command to its first mistake', async () => {
  const user = userEvent.setup();
  const backend = new HelpDesk();
  show(backend);
  await user.click(await screen.findByRole('option', { name: /Close a ticket/ }));
  const reply = await screen.findByRole('textbox', { name: /Reply/ });
  const answer = backend.invoke.bind(backend);
  backend.invoke = async (json) => {
    if (JSON.parse(json).capability !== 'ticket.close') return answer(json);
    const violations = [{ path: '/reply', message: 'is too short' }];
    const refusal = { status: 'error', code: 'VALIDATION', message: 'Say more.', violations, retryable: false };
    return JSON.stringify({ request_id: 'r', ...refusal });
  };
  await user.click(screen.getByRole('button', { name: 'Close a ticket' }));
  await waitFor(() => expect(document.activeElement).toBe(reply));
});
