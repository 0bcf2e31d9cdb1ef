// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { useStickToBottom } from './useStickToBottom';

/** A list of lines of 20 px in a window of 100, or something else in its place. */
function Lines({ count, shown = true }: { count: number; shown?: boolean }) {
  const scroller = useStickToBottom(count);
  return shown ? <div ref={scroller} role="log" data-lines={count} /> : <p>Another list</p>;
}

beforeEach(() => {
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      disconnect() {}
    },
  );
  vi.spyOn(HTMLElement.prototype, 'scrollHeight', 'get').mockImplementation(function (this: HTMLElement) {
    return 20 * Number(this.dataset.lines);
  });
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(100);
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const top = () => screen.getByRole('log').scrollTop;

it('keeps the end in view until the person scrolls away from it', () => {
  const { rerender } = render(<Lines count={10} />);
  expect(top()).toBe(200);
  rerender(<Lines count={11} />);
  expect(top()).toBe(220);
  fireEvent.scroll(screen.getByRole('log'), { target: { scrollTop: 40 } });
  rerender(<Lines count={12} />);
  expect(top()).toBe(40);
});

it('keeps it in view after something else stood in its place', () => {
  const { rerender } = render(<Lines count={10} />);
  fireEvent.scroll(screen.getByRole('log'), { target: { scrollTop: 0 } });
  rerender(<Lines count={10} shown={false} />);
  rerender(<Lines count={10} />);
  expect(top()).toBe(200);
  rerender(<Lines count={15} />);
  expect(top()).toBe(300);
  fireEvent.scroll(screen.getByRole('log'), { target: { scrollTop: 0 } });
  rerender(<Lines count={16} />);
  expect(top()).toBe(0);
});
