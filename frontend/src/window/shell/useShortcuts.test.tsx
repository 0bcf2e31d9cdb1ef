// @vitest-environment jsdom
import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it, vi } from 'vitest';
import { Client } from '../../bridge/client';
import { BusProvider } from '../../queries/BusProvider';
import { useManifest } from '../../queries/useManifest';
import { FakeBackend } from '../../shop/fake/backend';
import { useShortcuts } from './useShortcuts';

/** An application whose manifest is answered when a test says so, with what held when it was asked. */
class Held extends FakeBackend {
  full = false;
  holding = false;
  answers: (() => void)[] = [];
  override async manifest(json: string) {
    const answer = JSON.parse(await super.manifest(json));
    for (const state of answer.capabilities)
      if (state.name === 'cart.hold') Object.assign(state, { available: this.full, unavailable_reason: 'Empty.' });
    if (this.holding) await new Promise<void>((go) => this.answers.push(go));
    return JSON.stringify(answer);
  }
}

function Window({ onForm }: { onForm: (name: string) => void }) {
  useShortcuts(onForm);
  return <p>{useManifest() ? 'Ready' : 'Opening'}</p>;
}

const show = (backend: Held) => {
  const onForm = vi.fn();
  render(
    <MantineProvider env="test">
      <Notifications />
      <BusProvider client={new Client(backend)}>
        <Window onForm={onForm} />
      </BusProvider>
    </MantineProvider>,
  );
  return onForm;
};

afterEach(cleanup);

it('a key sees what the call before it did, though its event has not come', async () => {
  const backend = new Held();
  const onForm = show(backend);
  await screen.findByText('Ready');
  backend.full = true;
  await userEvent.keyboard('{F6}');
  await waitFor(() => expect(onForm).toHaveBeenCalledWith('cart.hold'));
});

it('an answer from before the call does not count', async () => {
  const backend = new Held();
  const onForm = show(backend);
  await screen.findByText('Ready');
  backend.holding = true;
  backend.emit('bus', { type: 'stateChange', domain: 'cart' });
  await waitFor(() => expect(backend.answers).toHaveLength(1));
  backend.full = true;
  await userEvent.keyboard('{F6}');
  await waitFor(() => expect(backend.answers).toHaveLength(2));
  for (const answer of backend.answers) answer();
  await waitFor(() => expect(onForm).toHaveBeenCalledWith('cart.hold'));
});

it('a key pressed before the manifest has come is kept', async () => {
  const backend = new Held();
  backend.full = true;
  backend.holding = true;
  const onForm = show(backend);
  await userEvent.keyboard('{F6}');
  backend.holding = false;
  await waitFor(() => {
    for (const answer of backend.answers) answer();
    expect(onForm).toHaveBeenCalledWith('cart.hold');
  });
});
