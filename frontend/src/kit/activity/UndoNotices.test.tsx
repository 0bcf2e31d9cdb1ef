// @vitest-environment jsdom
import { MantineProvider } from '@mantine/core';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { Client } from '../../bridge/client';
import type { RecordRef } from '../../bridge/records';
import { BusProvider } from '../../queries/BusProvider';
import { useManifest } from '../../queries/useManifest';
import { FakeBackend } from '../../shop/fake/backend';
import { DomainProvider, noDomain } from '../domain';
import { UndoNotices } from './UndoNotices';

afterEach(cleanup);

/** Says when the page knows what the application can do. */
function Known() {
  return <p>{useManifest() && 'known'}</p>;
}

it('names a changed record of a kind that its domain has, though one of another kind has the same id', async () => {
  const backend = new FakeBackend();
  const all = backend.manifest.bind(backend);
  backend.manifest = async (json: string) => {
    const manifest = JSON.parse(await all(json));
    for (const entry of manifest.capabilities ?? []) entry.reversible = true;
    return JSON.stringify(manifest);
  };
  const names: Record<string, string> = {
    'order W1': 'Order 1',
    'customer W1': 'Ana',
    'order X': 'O',
    'customer X': 'C',
  };
  backend.replace('entity.names', ({ args }) => ({
    records: (args.records as unknown as RecordRef[]).flatMap((record) => {
      const name = names[`${record.entity} ${record.id}`];
      return name ? [{ ...record, name }] : [];
    }),
  }));
  render(
    <MantineProvider env="test">
      <BusProvider client={new Client(backend)}>
        <DomainProvider value={noDomain}>
          <Known />
          <UndoNotices />
        </DomainProvider>
      </BusProvider>
    </MantineProvider>,
  );
  await screen.findByText('known');
  const request_id = 'r1';
  act(() => {
    backend.emit('bus', {
      ...{ type: 'invocation', request_id, capability: 'cart.setCustomer', status: 'success', caller: { type: 'ui' } },
    } as never);
    backend.emit('bus', { type: 'stateChange', request_id, domain: 'order', ids: ['W1'] } as never);
    backend.emit('bus', { type: 'stateChange', request_id, domain: 'shop', ids: ['X'] } as never);
  });
  const notice = await screen.findByRole('region', { name: 'Just done' });
  await waitFor(() => expect(notice.textContent).toContain('Order 1'));
  expect(notice.textContent).toMatch(/done\.Order 1/);
  expect(notice.textContent).not.toContain('Ana');
});
