// @vitest-environment jsdom
import { MantineProvider } from '@mantine/core';
import { act, cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, beforeAll, expect, it } from 'vitest';
import type { Backend, Stream } from '../door/backend';
import { Approvals } from './approvals/Approvals';
import { KitProvider } from './KitProvider';
import { Palette } from './palette/Palette';
import './palette/CommandForm'; // there when it is wanted

/** The application of somebody else: a help desk with two capabilities, and nothing of a shop. */
class HelpDesk implements Backend {
  readonly asked: { capability: string; arguments: object }[] = [];
  readonly #listeners = new Map<Stream, (payload: string) => void>();
  async manifest(json: string) {
    if (JSON.parse(json).next) return '{}';
    const ticketId = { type: 'string', title: 'Ticket', 'x-entity': 'ticket' };
    const sources = { ticket: 'ticket.list#/tickets' };
    const reply = { type: 'string', title: 'Reply' };
    const properties = { ticketId, reply };
    const capabilities = [
      { name: 'ticket.close', title: 'Close a ticket', side_effect: 'ui-only', available: true },
      { name: 'ticket.list', title: 'Show the queue', side_effect: 'pure', available: true },
    ].map((entry) => ({ description: `${entry.title}.`, input_schema: { type: 'object' }, sources, ...entry }));
    Object.assign(capabilities[0] ?? {}, { input_schema: { type: 'object', properties, required: ['ticketId'] } });
    return JSON.stringify({ schema_version: '0.2.0', application: { name: 'Tickets', version: '1' }, capabilities });
  }
  async invoke(json: string) {
    const { capability, arguments: args, request_id } = JSON.parse(json);
    this.asked.push({ capability, arguments: args });
    const data = capability === 'ticket.list' ? { tickets: [{ id: 't1', title: 'The printer is on fire' }] } : {};
    return JSON.stringify({ status: 'success', request_id, data, execution_time_ms: 1, replayed: false, timestamp: 0 });
  }
  cancel = async () => '{}';
  send = async () => '{}';
  stop = async () => '{}';
  decide = async () => '{}';
  pickFile = async () => '{}';
  dropFile = async () => '{}';
  on(stream: Stream, listener: (payload: string) => void) {
    this.#listeners.set(stream, listener);
    return () => this.#listeners.delete(stream);
  }
  emit(stream: Stream, event: object) {
    this.#listeners.get(stream)?.(JSON.stringify(event));
  }
}

function Page() {
  const [chosen, choose] = useState<string>();
  return (
    <>
      <Approvals Fields={() => null} />
      <Palette chosen={chosen} onChosen={choose} onClose={() => undefined} onOpenTrace={() => undefined} />
    </>
  );
}

const show = (backend: HelpDesk) =>
  render(
    <MantineProvider env="test">
      <KitProvider backend={backend}>
        <Page />
      </KitProvider>
    </MantineProvider>,
  );

beforeAll(() => {
  globalThis.ResizeObserver = class {
    observe() {}
    unobserve() {}
    disconnect() {}
  };
});
afterEach(cleanup);

it('runs a command of any manifest from the palette, with its fields and look-ups', async () => {
  const user = userEvent.setup();
  const backend = new HelpDesk();
  show(backend);
  await user.click(await screen.findByRole('option', { name: /Close a ticket/ }));
  await user.click(await screen.findByRole('combobox', { name: /Ticket/ }));
  await user.keyboard('{ArrowDown}');
  await user.click(await screen.findByRole('option', { name: /printer/ }));
  await user.type(screen.getByRole('textbox', { name: 'Reply' }), 'Water is on its way');
  await user.click(screen.getByRole('button', { name: 'Close a ticket' }));
  await screen.findByText(/Done/);
  const asked = { ticketId: 't1', reply: 'Water is on its way' };
  expect(backend.asked.at(-1)).toEqual({ capability: 'ticket.close', arguments: asked });
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
  act(() => backend.emit('approval', { type: 'opened', card }));
  const text = (await screen.findByRole('article', { name: card.sentence })).textContent;
  expect(text).toMatch(/Open tickets.*Stateopen → x/s);
});
