import { expect, it, vi } from 'vitest';
import type { Client } from '../bridge/client';
import { goTo, type Place, placeOf } from './navigation';

it('reads a page, and what is shown on it', () =>
  expect(placeOf(['orders', '#W1'])).toEqual({ page: 'orders', id: '#W1' }));
it('knows no place on a page that does not exist', () => expect(placeOf(['constructor'])).toBeUndefined());

it('asks for one place after the other, drops those that another came after, and goes on after a refusal', async () => {
  const answers: ((answer: object) => void)[] = [];
  const invoke = vi.fn((..._: unknown[]) => new Promise((resolve) => answers.push(resolve)));
  const client = { invoke } as unknown as Client;
  const places = () => invoke.mock.calls.map(([, place]) => (place as Place).page);
  goTo(client, { page: 'counter' }, { source: 'Navigation' });
  await vi.waitFor(() => expect(places()).toEqual(['counter']));
  goTo(client, { page: 'orders' }, { source: 'RecordLink' });
  goTo(client, { page: 'audit' }, { source: 'Navigation' });
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(places(), 'the first has no answer yet').toEqual(['counter']);
  answers[0]?.(Promise.reject(new Error('refused')));
  await vi.waitFor(() => expect(places()).toEqual(['counter', 'audit']));
});
