import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { inSequence } from './inSequence';

/** What was heard of events that came in the order of these numbers. */
function hearing(): { heard: string[]; come: (...numbers: number[]) => void } {
  const order = inSequence();
  const heard: string[] = [];
  const [chat, bus] = [order((payload) => heard.push(payload)), order((payload) => heard.push(`bus ${payload}`))];
  const come = (...numbers: number[]) => {
    for (const n of numbers) (n % 10 === 0 ? bus : chat)(`${n}`, n);
  };
  return { heard, come };
}

describe('inSequence', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('holds what overtook another until that has come, over all streams', () => {
    const { heard, come } = hearing();
    come(7, 9, 10, 11, 8);
    expect(heard).toEqual(['7', '8', '9', 'bus 10', '11']);
    expect(vi.getTimerCount()).toBe(0);
  });
  it('goes on without an event that never comes', () => {
    const { heard, come } = hearing();
    come(1, 3, 4, 6);
    expect(heard).toEqual(['1']);
    vi.advanceTimersByTime(250);
    expect(heard).toEqual(['1', '3', '4']);
    vi.advanceTimersByTime(250);
    expect(heard).toEqual(['1', '3', '4', '6']);
    come(7);
    expect(heard.at(-1)).toBe('7');
  });
  it('delivers what comes after its turn was given up', () => {
    const { heard, come } = hearing();
    come(1, 3);
    vi.advanceTimersByTime(250);
    come(2, 4);
    expect(heard).toEqual(['1', '3', '2', '4']);
  });
});
