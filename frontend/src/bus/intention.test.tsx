// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it } from 'vitest';
import { BusProvider } from './BusProvider';
import { Client } from './client';
import { FakeBackend } from './fake/backend';
import { useInvoke } from './hooks';

/** An application that takes its time over an answer; it keeps the keys it was asked with. */
class Slow extends FakeBackend {
  answers = false;
  keys: string[] = [];
  override async invoke(json: string) {
    this.keys.push(JSON.parse(json).idempotency_key);
    if (!this.answers) await new Promise(() => {});
    return JSON.stringify({ status: 'success', request_id: 'r', data: {} });
  }
}

function Form() {
  const set = useInvoke('theme.set', { source: 'Test', once: 'theme' });
  return (
    <button type="button" onClick={() => set.mutate({ theme: 'dark' })}>
      {set.isSuccess ? 'Saved' : 'Save'}
    </button>
  );
}

const show = (backend: Slow) =>
  render(
    <BusProvider client={new Client(backend)}>
      <Form />
    </BusProvider>,
  );

afterEach(cleanup);

it('a form loaded anew before its answer asks with the same key, after it with another', async () => {
  const user = userEvent.setup();
  const backend = new Slow();
  show(backend);
  await user.click(screen.getByRole('button'));

  const kept = { ...sessionStorage };
  cleanup(); // unlike a page that goes, this one tells its parts
  expect(sessionStorage, 'a form that is left has no intention').toHaveLength(0);
  Object.assign(sessionStorage, kept);

  backend.answers = true;
  show(backend);
  await user.click(screen.getByRole('button'));
  await screen.findByText('Saved');
  await user.click(screen.getByRole('button'));
  const [first, again, next] = backend.keys;
  expect(again).toBe(first);
  expect(next).not.toBe(first);
});
