// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { forgetOldStyles } from './oldStyles';

describe('forgetOldStyles', () => {
  const size = () => document.documentElement.style.fontSize;
  beforeEach(() => {
    vi.useFakeTimers();
    forgetOldStyles(window);
  });
  afterEach(() => vi.useRealTimers());

  it.each([100, 200])(
    'changes the size of the root once things were done, by nothing that is seen: %d %%',
    (percent) => {
      document.documentElement.style.fontSize = `${percent}%`;
      const before = size();
      document.body.dispatchEvent(new Event('pointerdown', { bubbles: true }));
      expect(size()).toBe(before);
      vi.advanceTimersByTime(30_000);
      const after = size();
      expect(after).not.toBe(before);
      vi.advanceTimersByTime(60_000);
      expect(size()).toBe(after); // nothing was done
      document.body.dispatchEvent(new Event('keydown', { bubbles: true }));
      vi.advanceTimersByTime(30_000);
      expect(size()).not.toBe(after);
      for (const one of [after, size()]) expect(Math.abs(Number.parseFloat(one) - percent)).toBeLessThan(0.01);
    },
  );
});
