import { expect, it, vi } from 'vitest';
import type { Client } from '../door/client';
import { goTo, placeOf } from './navigation';

it('reads a page, and what is shown on it', () =>
  expect(placeOf(['orders', '#W1'])).toEqual({ page: 'orders', id: '#W1' }));
it('knows no place on a page that there is not', () => expect(placeOf(['constructor'])).toBeUndefined());

it('asks for one place after the other, and on after a refusal', async () => {
  const answers: ((answer: object) => void)[] = [];
  const invoke = vi.fn((..._: unknown[]) => new Promise((resolve) => answers.push(resolve)));
  const client = { invoke } as unknown as Client;
  goTo(client, { page: 'counter' }, { source: 'Navigation' });
  goTo(client, { page: 'orders' }, { source: 'RecordLink' });
  goTo(client, { page: 'audit' }, { source: 'Navigation' });
  await vi.waitFor(() => expect(invoke).toHaveBeenCalled());
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(
    invoke.mock.calls.map(([, place]) => place),
    'the first has no answer yet',
  ).toEqual([{ page: 'counter' }]);
  answers[0]?.({});
  await vi.waitFor(() => expect(invoke).toHaveBeenCalledTimes(2));
  answers[1]?.(Promise.reject(new Error('refused')));
  await vi.waitFor(() =>
    expect(invoke).toHaveBeenLastCalledWith('navigation.go', { page: 'audit' }, expect.anything()),
  );
});
