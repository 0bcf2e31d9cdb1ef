// @vitest-environment jsdom
import { MantineProvider } from '@mantine/core';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it } from 'vitest';
import type { Backend } from '../../bridge/backend';
import type { AuditRecord } from '../audit/record';
import { noDomain } from '../domain';
import { KitProvider } from '../KitProvider';
import { SaveRoutine } from './SaveRoutine';

const capability = (name: string) => ({ name, title: name, side_effect: 'ui-only', available: true, type: 'action' });
const manifest = {
  ...{ schema_version: '0.2.0', application: { name: 'Notes', version: '1' } },
  capabilities: ['note.tidy', 'routine.save', 'grant.create'].map(capability),
};
const records = [{ capability: 'note.tidy', arguments: {} }] as unknown as AuditRecord[];

let sent: Record<string, unknown>[] = [];
afterEach(() => {
  cleanup();
  sent = [];
});

function show() {
  const none = async () => '{}';
  const backend: Backend = {
    ...{ cancel: none, send: none, stop: none, decide: none, pickFile: none, dropFile: none },
    manifest: async () => JSON.stringify(manifest),
    invoke: async (json) => {
      const { capability, arguments: args } = JSON.parse(json);
      if (capability === 'routine.save') sent.push(args);
      return JSON.stringify({ status: 'success', data: {} });
    },
    on: () => () => undefined,
  };
  render(
    <MantineProvider env="test">
      <KitProvider backend={backend} domain={{ ...noDomain, useOpenLink: () => () => undefined }}>
        <SaveRoutine records={records} />
      </KitProvider>
    </MantineProvider>,
  );
}

it('gives the permission to run unasked with a routine that has a time', async () => {
  show();
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'Save as routine…' }));
  await user.type(screen.getByRole('textbox', { name: /^Name/ }), 'Tidy');
  expect(screen.queryByRole('checkbox', { name: /^Without asking me/ })).toBeNull();
  await user.type(screen.getByRole('textbox', { name: 'Runs by itself every day at' }), '17:00');
  const before = Date.now();
  screen.getByRole('checkbox', { name: 'Without asking me, 30 times within 60 days' }).focus();
  await user.keyboard(' ');
  await user.type(screen.getByRole('textbox', { name: /^Name/ }), ' up{Enter}');
  await waitFor(() => expect(sent).toHaveLength(1));
  const { allow, ...rest } = sent[0] as { allow: { uses: number; until: number } };
  expect(rest).toEqual({ name: 'Tidy up', steps: [{ capability: 'note.tidy', arguments: {} }], at: { time: '17:00' } });
  expect(allow.uses).toBe(30);
  expect(allow.until - before).toBeGreaterThanOrEqual(60 * 86_400_000);
});

it('gives none where it is not asked for, nor where the time is taken away', async () => {
  show();
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'Save as routine…' }));
  await user.type(screen.getByRole('textbox', { name: /^Name/ }), 'Tidy');
  const time = screen.getByRole('textbox', { name: 'Runs by itself every day at' });
  await user.type(time, '17:00');
  screen.getByRole('checkbox', { name: /^Without asking me/ }).focus();
  await user.keyboard(' ');
  await user.clear(time);
  await user.type(screen.getByRole('textbox', { name: /^Name/ }), '{Enter}');
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toEqual({ name: 'Tidy', steps: [{ capability: 'note.tidy', arguments: {} }] });
});
