// @vitest-environment jsdom
import { MantineProvider } from '@mantine/core';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import { useEffect, useState } from 'react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Client } from '../bridge/client';
import { BusProvider } from '../queries/BusProvider';
import { FakeBackend } from '../shop/fake/backend';
import type { Place } from '../shop/navigation';
import { KeptPage } from './KeptPage';

afterEach(cleanup);

let visits = 0;
let reads: string[] = [];
beforeEach(() => {
  visits = 0;
  reads = [];
});

/** A page that knows which of those that were drawn it is, and reads while it is shown. */
function Page() {
  const [number] = useState(() => (visits += 1));
  useEffect(() => {
    reads.push(`${number} shown`);
    return () => void reads.push(`${number} left`);
  }, [number]);
  return <p>Page {number}</p>;
}

const client = new Client(new FakeBackend());
const at = (page: Place['page'], options: { ahead?: boolean; stays?: boolean }) => (
  <MantineProvider env="test">
    <BusProvider client={client}>
      <KeptPage page="reports" place={{ page }} onGo={() => undefined} {...options}>
        <Page />
      </KeptPage>
    </BusProvider>
  </MantineProvider>
);
const drawn = () => screen.queryByText(/^Page/)?.textContent;
const seen = () => screen.getByText(/^Page/).style.display !== 'none';

it('is not there before it is opened, nor after, unless it is drawn ahead', () => {
  const { rerender } = render(at('counter', {}));
  expect(drawn()).toBeUndefined();
  rerender(at('reports', {}));
  expect(drawn()).toBe('Page 1');
  rerender(at('counter', {}));
  expect(drawn()).toBeUndefined();
  expect(reads).toEqual(['1 shown', '1 left']);
});

it('is drawn ahead unseen, reads nothing until it is opened, and begins anew after it was left', async () => {
  const { rerender } = render(at('counter', { ahead: true }));
  await waitFor(() => expect(drawn()).toBe('Page 1'));
  expect(seen()).toBe(false);
  expect(reads).toEqual([]);
  rerender(at('reports', { ahead: true }));
  expect([drawn(), seen()]).toEqual(['Page 1', true]);
  rerender(at('counter', { ahead: true }));
  await waitFor(() => expect(drawn()).toBe('Page 2'));
  expect(seen()).toBe(false);
  expect(reads).toEqual(['1 shown', '1 left']);
});

it('is as it was left where it stays', () => {
  const { rerender } = render(at('reports', { ahead: true, stays: true }));
  rerender(at('counter', { ahead: true, stays: true }));
  expect([drawn(), seen()]).toEqual(['Page 1', false]);
  rerender(at('reports', { ahead: true, stays: true }));
  expect([drawn(), seen()]).toEqual(['Page 1', true]);
  expect(reads).toEqual(['1 shown', '1 left', '1 shown']);
});
