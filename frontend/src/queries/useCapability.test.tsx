// @vitest-environment jsdom
import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Client } from '../bridge/client';
import { FakeBackend } from '../shop/fake/backend';
import { BusProvider } from './BusProvider';
import { useCapability } from './useCapability';

/** An assistant whose status says how often it is worth asking for. */
class Asked extends FakeBackend {
  times = 0;
  constructor(readonly every: number | undefined) {
    super();
  }
  override async manifest() {
    const status = { name: 'assistant.status', title: 'Status', side_effect: 'pure', available: true };
    const capabilities = [{ ...status, refresh_interval_seconds: this.every }];
    return JSON.stringify({ schema_version: '0.2.0', application: { name: 'A', version: '1' }, capabilities });
  }
  override async invoke() {
    this.times += 1;
    return JSON.stringify({ status: 'success', request_id: 'r', data: { model: `asked ${this.times} times` } });
  }
}

function Model() {
  const { data } = useCapability('assistant.status', {}, { source: 'Test' });
  return <p>{data?.model ?? 'not yet'}</p>;
}

beforeEach(() => void vi.useFakeTimers({ now: Date.UTC(2026, 10, 29, 12) })); // no day may begin soon
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

it.each([
  [30, 'asked 3 times'],
  [undefined, 'asked 1 times'],
])('asks for a status as often as it says: every %s s', async (every, model) => {
  render(
    <BusProvider client={new Client(new Asked(every))}>
      <Model />
    </BusProvider>,
  );
  await act(() => vi.advanceTimersByTimeAsync(70_000));
  expect(screen.getByText(model)).toBeTruthy();
});
