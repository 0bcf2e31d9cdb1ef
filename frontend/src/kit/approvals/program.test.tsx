// @vitest-environment jsdom
import { MantineProvider } from '@mantine/core';
import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it } from 'vitest';
import type { Backend } from '../../bridge/backend';
import { noDomain } from '../domain';
import { KitProvider } from '../KitProvider';
import { Approvals } from './Approvals';

const capability = (name: string, title: string) => ({ name, title, side_effect: 'ui-only', available: true });
const manifest = {
  ...{ schema_version: '0.2.0', application: { name: 'Notes', version: '1' } },
  capabilities: [
    capability('note.list', 'List notes'),
    capability('note.read', 'Mark as read'),
    capability('plan.propose', 'Do as one'),
  ],
};
const arg = (pointer: string, value: string, through?: number) => ({
  ...{ pointer, label: pointer, value, text: value, origin: 'looked_up' },
  ...(through && { through }),
});
const ids = Array.from({ length: 30 }, (_, n) => n + 1);
const card = {
  ...{ approval_id: 'a1', request_id: 'r1', conversation_id: 'c1', capability: 'plan.propose', title: 'Do as one' },
  ...{ side_effect: 'ui-only', sentence: '30 × Mark as read', expires_at: Date.now() + 60_000 },
  steps: ['List notes', ...ids.map((n) => `Mark n${n} as read`)],
  arguments: [
    arg('/steps/0/capability', 'note.list'),
    arg('/steps/1/capability', 'note.read', 30),
    arg('/steps/1/arguments/words', 'for later', 30),
    ...ids.map((n) => arg(`/steps/${n}/arguments/id`, `n${n}`)),
  ],
};

afterEach(cleanup);

/** Shows the cards while one is open, and returns the answers to it. */
function show(open: object): string[] {
  const answers: string[] = [];
  let emit: (event: object) => void = () => undefined;
  const none = async () => '{}';
  const backend: Backend = {
    ...{ cancel: none, send: none, stop: none, pickFile: none, dropFile: none, invoke: none },
    decide: async (json) => {
      answers.push(JSON.parse(json).answer);
      return '{}';
    },
    manifest: async (json) => JSON.stringify(JSON.parse(json).cards ? { cards: [open] } : manifest),
    on: (stream, listener) => {
      if (stream === 'approval') emit = (event) => listener(JSON.stringify(event));
      return () => undefined;
    },
  };
  render(
    <MantineProvider env="test">
      <KitProvider backend={backend} domain={{ ...noDomain, useOpenLink: () => () => undefined }}>
        <Approvals Fields={() => null} />
      </KitProvider>
    </MantineProvider>,
  );
  act(() => emit({ type: 'opened', card: open }));
  return answers;
}

it('a call by hand is called by its action, which its button does', async () => {
  const answers = show({ ...card, conversation_id: undefined });
  await screen.findByRole('dialog', { name: 'Do as one' });
  expect(screen.queryByRole('button', { name: 'Allow once' })).toBeNull();
  await waitFor(() => expect(document.activeElement?.textContent).toContain('Leave it'));
  const user = userEvent.setup();
  await user.tab();
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Do as one' }));
  await user.keyboard('{Enter}');
  await waitFor(() => expect(answers).toEqual(['allow']));
});

it('a call of another program is allowed or not', async () => {
  show({ ...card, conversation_id: undefined, client: 'helper' });
  await screen.findByRole('dialog', { name: 'Waiting for an answer' });
  screen.getByRole('button', { name: 'Allow once' });
});

it('shows what all rows share once, and folds the rows, each with its number and its values', async () => {
  show(card);
  const summary = await screen.findByText('All 30 rows');
  const rows = summary.closest('details') as HTMLDetailsElement;
  expect(rows.open).toBe(false);
  const run = rows.closest('li') as HTMLLIElement;
  expect(run.value).toBe(2);
  await waitFor(() => expect(run.textContent).toMatch(/^30 × Mark as read.*for later/));
  expect(rows.textContent).not.toContain('for later');
  const items = within(rows).getAllByRole('listitem', { hidden: true }) as HTMLLIElement[];
  expect(items.map(({ value }) => value)).toEqual(ids.map((n) => n + 1));
  expect(items[16]?.textContent).toMatch(/^Mark n17 as read.*n17/);
});
