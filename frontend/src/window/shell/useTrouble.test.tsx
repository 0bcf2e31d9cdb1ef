// @vitest-environment jsdom
import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, describe, expect, it } from 'vitest';
import { Client } from '../../bridge/client';
import { BusProvider } from '../../queries/BusProvider';
import { useInvoke } from '../../queries/useInvoke';
import { FakeBackend } from '../../shop/fake/backend';
import { useTrouble } from './useTrouble';

const full = {
  ...{ status: 'error', request_id: 'r', code: 'TRANSIENT', reason: 'journal', retryable: true },
  ...{ message: 'The disk is full: nothing was changed.', recovery_hint: 'Make room on it, then try again.' },
};

/** An application on a full disk, until there is room; it keeps the keys it was asked with. */
class FullDisk extends FakeBackend {
  full = true;
  keys: (string | undefined)[] = [];
  override async invoke(json: string) {
    const { capability, idempotency_key } = JSON.parse(json);
    if (capability !== 'theme.set') return super.invoke(json);
    this.keys.push(idempotency_key);
    return this.full ? JSON.stringify(full) : JSON.stringify({ status: 'success', request_id: 'r', data: {} });
  }
}

const severalThemes = {
  ...{ status: 'error', request_id: 'r', code: 'NOT_FOUND', reason: 'record', retryable: false },
  message: 'There is no such theme.',
  choices: [
    {
      field: 'theme',
      options: [
        { value: 'light', title: 'By day' },
        { value: 'black', title: 'By night' },
      ],
    },
  ],
};

/** An application that takes one theme of those it offers. */
class Choosy extends FakeBackend {
  themes: string[] = [];
  override async invoke(json: string) {
    const { capability, arguments: args } = JSON.parse(json);
    if (capability !== 'theme.set') return super.invoke(json);
    this.themes.push(args.theme);
    const known = args.theme === 'black';
    return JSON.stringify(known ? { status: 'success', request_id: 'r', data: {} } : severalThemes);
  }
}

function Form() {
  useTrouble();
  const [text, setText] = useState('');
  const [done, setDone] = useState(false);
  const set = useInvoke('theme.set', { source: 'Test', once: true });
  const go = useInvoke('navigation.go', { source: 'Test' });
  return done ? (
    <p>Saved</p>
  ) : (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        set.mutate({ theme: 'dark' }, { onSuccess: () => setDone(true) });
      }}
    >
      <input aria-label="Name" value={text} onChange={(event) => setText(event.currentTarget.value)} />
      <button type="submit">Save</button>
      <button type="button" onClick={() => go.mutate({ page: 'orders' })}>
        Orders
      </button>
    </form>
  );
}

const show = (backend: FakeBackend) =>
  render(
    <MantineProvider env="test">
      <Notifications />
      <BusProvider client={new Client(backend)}>
        <Form />
      </BusProvider>
    </MantineProvider>,
  );

afterEach(cleanup);

describe('useTrouble', () => {
  it('says that the disk is full, loses nothing, and tries the same again', async () => {
    const backend = new FullDisk();
    const user = userEvent.setup();
    show(backend);
    await user.type(screen.getByLabelText('Name'), 'Half a na{Enter}');
    await screen.findByText('The disk is full: nothing was changed.');
    expect((screen.getByLabelText('Name') as HTMLInputElement).value).toBe('Half a na');
    await user.click(screen.getByRole('button', { name: 'Orders' }));
    await new Promise((later) => setTimeout(later, 50));
    screen.getByText('The disk is full: nothing was changed.'); // what went well meanwhile was something else
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await screen.findByText('The disk is full: nothing was changed.');
    backend.full = false;
    await user.click(await screen.findByRole('button', { name: 'Try again' }));
    await screen.findByText('Saved');
    await waitFor(() => expect(screen.queryByText('The disk is full: nothing was changed.')).toBeNull());
    expect(backend.keys).toHaveLength(3);
    expect(new Set(backend.keys).size, 'one intention, one key').toBe(1);
  });

  it('offers the choices of a refusal, and the form goes on with what is chosen', async () => {
    const backend = new Choosy();
    const user = userEvent.setup();
    show(backend);
    await user.type(screen.getByLabelText('Name'), 'x{Enter}');
    await screen.findByRole('button', { name: 'By day' });
    await user.click(screen.getByRole('button', { name: 'By night' }));
    await screen.findByText('Saved');
    expect(backend.themes).toEqual(['dark', 'black']);
    await waitFor(() => expect(screen.queryByText('There is no such theme.')).toBeNull());
  });
});
