// @vitest-environment jsdom
import { act, cleanup, render } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { Client } from '../../bridge/client';
import type { BusEvent } from '../../bridge/wire';
import { BusProvider } from '../../queries/BusProvider';
import { useCapability } from '../../queries/useCapability';
import { FakeBackend } from '../../shop/fake/backend';
import { useFreshTrials } from './useFreshTrials';

afterEach(cleanup);

class Trials extends FakeBackend {
  read: string[] = [];
  override async invoke(json: string) {
    const { arguments: of } = JSON.parse(json);
    this.read.push(of.grant?.capability ?? of.rule?.effect ?? 'suggestions');
    return JSON.stringify({ status: 'success', request_id: 'r', data: {} });
  }
}

const grant = (capability: string) => ({ grantee: { endpoint: 'e', model: 'm' }, capability, until: 1, limits: {} });

function Shown() {
  useFreshTrials();
  useCapability('policy.tryOut', { grant: grant('order.cancel') }, { source: 'Test' });
  useCapability('policy.tryOut', { grant: grant('cart.addItem') }, { source: 'Test' });
  useCapability('grant.suggest', {}, { source: 'Test' });
  return null;
}

it.each([
  ['agent', 'order.cancel', ['order.cancel', 'suggestions']],
  ['agent', 'catalog.search', ['suggestions']],
  ['ui', 'order.cancel', []],
])('reads again what a call of the %s, %s, counts in', async (type, capability, read) => {
  const backend = new Trials();
  render(
    <BusProvider client={new Client(backend)}>
      <Shown />
    </BusProvider>,
  );
  await act(async () => {});
  backend.read = [];
  const event: BusEvent = { type: 'invocation', capability, caller: { type }, status: 'success' };
  await act(async () => backend.emit('bus', event));
  expect(backend.read).toEqual(read);
});
