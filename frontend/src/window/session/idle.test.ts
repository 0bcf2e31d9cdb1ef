// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { idleWatch } from './idle';

describe('idleWatch', () => {
  const heard: string[] = [];
  const start = (minutes: number) =>
    idleWatch(window, minutes * 60_000, { stay: () => heard.push('stay'), lock: () => heard.push('lock') });
  const touch = () => window.dispatchEvent(new Event('keydown'));
  const pass = (seconds: number) => vi.advanceTimersByTime(seconds * 1000);

  beforeEach(() => {
    vi.useFakeTimers();
    heard.length = 0;
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('locks after the time without a touch, once', () => {
    start(2);
    pass(119);
    expect(heard).toEqual(['stay']);
    pass(600);
    expect(heard).toEqual(['stay', 'lock']);
  });
  it('counts from the last touch, and tells of touches now and then', () => {
    const stop = start(1);
    for (let i = 0; i < 100; i += 1) {
      pass(1);
      touch();
    }
    expect(heard).toEqual(['stay', 'stay', 'stay', 'stay']);
    pass(59);
    expect(heard).not.toContain('lock');
    pass(1);
    expect(heard.at(-1)).toBe('lock');
    stop();
  });
  it('does not take the touch that ends a sleep for one', () => {
    start(5);
    vi.setSystemTime(Date.now() + 3_600_000); // the timers slept too
    touch();
    expect(heard).toEqual(['stay', 'lock']);
  });
  it('is silent when it was stopped', () => {
    start(1)();
    pass(600);
    touch();
    expect(heard).toEqual(['stay']);
  });
});
