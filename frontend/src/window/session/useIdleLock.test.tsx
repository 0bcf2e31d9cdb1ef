// @vitest-environment jsdom
import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { Client } from '../../bridge/client';
import { BusProvider } from '../../queries/BusProvider';
import { FakeBackend } from '../../shop/fake/backend';
import { useSession } from '../../shop/session';
import { useIdleLock } from './useIdleLock';

/** Holds the seat as locked only after it has sent the event of the lock, as the application may. */
class LocksLate extends FakeBackend {
  locked = false;
  override async invoke(json: string) {
    const { capability } = JSON.parse(json);
    if (capability === 'session.lock') {
      this.emit('bus', { type: 'stateChange', domain: 'lock' });
      await new Promise((later) => setTimeout(later, 100));
      this.locked = true;
    }
    const person = { id: 'ida', name: 'Ida', needsPin: true };
    const answers: Record<string, object> = {
      'session.get': { staff: person, people: [person], locked: this.locked },
      'settings.get': { security: { lockAfterMinutes: 5 } },
    };
    return JSON.stringify({ status: 'success', request_id: 'r', data: answers[capability] ?? {} });
  }
}

function Seat() {
  useIdleLock();
  return <p>{useSession()?.locked ? 'Locked' : 'Open'}</p>;
}

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

it('shows the lock, although its event comes before the seat is locked', async () => {
  vi.useFakeTimers();
  render(
    <BusProvider client={new Client(new LocksLate())}>
      <Seat />
    </BusProvider>,
  );
  await act(() => vi.advanceTimersByTimeAsync(1000));
  expect(screen.getByText('Open')).toBeTruthy();
  await act(() => vi.advanceTimersByTimeAsync(5 * 60_000 + 1000));
  expect(screen.getByText('Locked')).toBeTruthy();
});
