// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it, vi } from 'vitest';
import { Client } from '../bridge/client';
import { FakeBackend } from '../shop/fake/backend';
import { BusProvider } from './BusProvider';
import { useInvoke } from './useInvoke';
import { useManifest } from './useManifest';

/** An application that takes its time over an answer; it keeps the keys it was asked with. */
class Slow extends FakeBackend {
  answers = false;
  keys: string[] = [];
  answer: () => void = () => undefined;
  override async invoke(json: string) {
    this.keys.push(JSON.parse(json).idempotency_key);
    if (!this.answers)
      await new Promise<void>((go) => {
        this.answer = go;
      });
    return JSON.stringify({ status: 'success', request_id: 'r', data: {} });
  }
}

function Form({ onDone }: { onDone?: () => void }) {
  const set = useInvoke('theme.set', { source: 'Test', once: 'theme' });
  return (
    <button type="button" onClick={() => set.mutate({ theme: 'dark' }, { onSuccess: onDone })}>
      {set.isSuccess ? 'Saved' : 'Save'}
    </button>
  );
}

const show = (backend: Slow, form = <Form />) => {
  const client = new Client(backend);
  const inside = (part: React.ReactNode) => <BusProvider client={client}>{part}</BusProvider>;
  const { rerender } = render(inside(form));
  return { leave: () => rerender(inside(null)) };
};

/** The keys of forms. Another file of tests, which shares the store, may still write keys of its own. */
const intentions = () => Object.entries(sessionStorage).filter(([name]) => name.includes('key of'));

afterEach(cleanup);

it('a form loaded anew before its answer asks with the same key, after it with another', async () => {
  const user = userEvent.setup();
  const backend = new Slow();
  show(backend);
  await user.click(screen.getByRole('button'));

  const kept = intentions();
  expect(kept).toHaveLength(1);
  cleanup(); // unlike a page that goes, this one tells its parts
  expect(intentions(), 'until the answer').toEqual(kept);

  backend.answers = true;
  show(backend);
  await user.click(screen.getByRole('button'));
  await screen.findByText('Saved');
  await user.click(screen.getByRole('button'));
  const [first, again, next] = backend.keys;
  expect(again).toBe(first);
  expect(next).not.toBe(first);
});

it('what was to be done with an answer is done, though the part that asked is gone', async () => {
  const user = userEvent.setup();
  const backend = new Slow();
  const done = vi.fn();
  const { leave } = show(backend, <Form onDone={done} />);
  await user.click(screen.getByRole('button'));
  leave();
  backend.answer();
  await vi.waitFor(() => expect(done).toHaveBeenCalledOnce());
});

it('knows how long a text may be, as the manifest declares it', async () => {
  class Declared extends FakeBackend {
    override async manifest() {
      const input_schema = { type: 'object', properties: { text: { type: 'string', maxLength: 500 } } };
      const capabilities = [
        { name: 'cart.setNote', title: 'Note', side_effect: 'ui-only', available: true, input_schema },
      ];
      return JSON.stringify({ schema_version: '0.2.0', application: { name: 'A', version: '1' }, capabilities });
    }
  }
  function Limit() {
    useManifest();
    const { maxLengthAt } = useInvoke('cart.setNote', { source: 'Test' });
    return <p>{`${maxLengthAt('/text')} ${maxLengthAt('/variantId')}`}</p>;
  }
  render(
    <BusProvider client={new Client(new Declared())}>
      <Limit />
    </BusProvider>,
  );
  expect(await screen.findByText('500 undefined')).toBeTruthy();
});
