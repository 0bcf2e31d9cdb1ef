// @vitest-environment jsdom
import { MantineProvider } from '@mantine/core';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { Client } from '../bridge/client';
import { BusProvider } from '../queries/BusProvider';
import { FakeBackend } from '../shop/fake/backend';
import type { Place } from '../shop/navigation';
import { Pages } from './Pages';

afterEach(cleanup);

const draws = vi.hoisted(() => ({ counter: 0, orders: 0 }));
const drawn = vi.hoisted(() => (page: 'counter' | 'orders') => {
  draws[page] += 1;
  return page;
});
vi.mock('../features/counter/ProductSearch', () => ({ ProductSearch: () => <p>{drawn('counter')}</p> }));
vi.mock('../features/counter/CartPanel', () => ({ CartPanel: () => null }));
vi.mock('../kit/lists/RecordsPage', async (original) => ({
  ...(await original<object>()),
  RecordsPage: () => <p>{drawn('orders')}</p>,
}));

const client = new Client(new FakeBackend());
const go = () => undefined;
const pick = () => undefined;
const at = (place: Place) => (
  <MantineProvider env="test">
    <BusProvider client={client}>
      <Pages place={place} onGo={go} picking={false} onPick={pick} />
    </BusProvider>
  </MantineProvider>
);

it('draws no page again because another one is opened', async () => {
  const { rerender } = render(at({ page: 'counter' }));
  await screen.findByText('counter');
  rerender(at({ page: 'orders' }));
  await screen.findByText('orders');
  await new Promise((done) => setTimeout(done, 50)); // its reads
  const before = { ...draws };
  for (const page of ['counter', 'orders', 'customers', 'orders'] as const) rerender(at({ page }));
  expect(draws.counter).toBe(before.counter);
  expect(draws.orders - before.orders).toBeLessThanOrEqual(1); // its rows were read again
});
