// @vitest-environment jsdom
import { MantineProvider } from '@mantine/core';
import { act, cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it } from 'vitest';
import type { Backend } from '../../bridge/backend';
import { Client } from '../../bridge/client';
import { BusProvider } from '../../queries/BusProvider';
import { useTask } from '../../queries/useTask';
import { VerifyStatus } from './VerifyStatus';

/** An application in which a check runs until it is told how it ends. */
class Checking implements Partial<Backend> {
  cancelled: string[] = [];
  id = '';
  end: (result: object) => void = () => undefined;
  readonly #listeners = new Set<(payload: string) => void>();

  invoke(json: string): Promise<string> {
    this.id = JSON.parse(json).request_id;
    return new Promise((resolve) => {
      this.end = (result) => resolve(JSON.stringify(result));
    });
  }
  async cancel(json: string) {
    this.cancelled.push(JSON.parse(json).request_id);
    return '{}';
  }
  on(stream: string, listener: (payload: string) => void) {
    if (stream === 'bus') this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
  progress(percent: number) {
    const event = JSON.stringify({ type: 'progress', task_id: this.id, percent });
    for (const listener of this.#listeners) listener(event);
  }
}

function Check() {
  const task = useTask('audit.verify', 'Check');
  return (
    <>
      <button type="button" onClick={() => task.start({})}>
        Verify
      </button>
      <VerifyStatus {...task} />
    </>
  );
}

const open = (backend: Checking) =>
  render(
    <MantineProvider env="test">
      <BusProvider client={new Client(backend as unknown as Backend)}>
        <Check />
      </BusProvider>
    </MantineProvider>,
  );

afterEach(cleanup);

it('a check tells how far it is, also to somebody who comes back, and is stopped by its id', async () => {
  const backend = new Checking();
  const user = userEvent.setup();
  const page = open(backend);
  await user.click(screen.getByRole('button', { name: 'Verify' }));
  act(() => backend.progress(34));
  await screen.findByText('Checking every record: 34 %');

  page.unmount();
  open(backend);
  await screen.findByText('Checking every record: 34 %');
  act(() => backend.progress(56));
  await screen.findByText('Checking every record: 56 %');
  await user.click(screen.getByRole('button', { name: 'Stop' }));
  expect(backend.cancelled).toEqual([backend.id]);

  const failure = { code: 'TRANSIENT', reason: 'cancelled', message: 'It was cancelled.', retryable: true };
  await act(async () => backend.end({ status: 'error', ...failure }));
  await screen.findByText('Stopped: not every record was checked.');
  await user.click(screen.getByRole('button', { name: 'Dismiss' }));
  expect(screen.queryByRole('status')).toBeNull();
});

it('a check says plainly what it found', async () => {
  const backend = new Checking();
  const user = userEvent.setup();
  open(backend);
  await user.click(screen.getByRole('button', { name: 'Verify' }));
  const data = { ok: false, records: 41, reads: 0, head: '', first_bad: 1042, problem: 'Record 1042 was edited.' };
  await act(async () => backend.end({ status: 'success', data }));
  await screen.findByText('The journal was changed at record 1,042. Record 1042 was edited.');
});

it('a check tells statistics that do not fit from records that were changed', async () => {
  const backend = new Checking();
  const user = userEvent.setup();
  open(backend);
  await user.click(screen.getByRole('button', { name: 'Verify' }));
  const data = {
    ok: false,
    records: 41,
    reads: 0,
    head: '',
    rollups: 3,
    problem: 'Three are wrong.',
    remedy: 'Count.',
  };
  await act(async () => backend.end({ status: 'success', data }));
  await screen.findByText('Three are wrong. Count.');
});
