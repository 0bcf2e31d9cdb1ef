// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { setDensity, setTextSize } from '../theme/sizes';
import { useListCursor } from './useListCursor';
import { VirtualListbox } from './VirtualListbox';

beforeEach(() => {
  globalThis.ResizeObserver = class {
    observe() {}
    unobserve() {}
    disconnect() {}
  };
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

const letters = [...'abcdefghijklmnopqrstuvwxyz'];

function Letters({ onChoose, items = letters }: { onChoose: (index: number) => void; items?: readonly string[] }) {
  const cursor = useListCursor(items, String, onChoose);
  return (
    <VirtualListbox
      {...{ id: 'letters', label: 'Letters', items, rowHeight: 40, cursor, onChoose }}
      keyOf={(letter) => letter}
      renderRow={(letter) => letter}
    />
  );
}

const active = () => screen.queryByRole('option', { selected: true })?.textContent;

it('marks the first whole row in view when the list takes the focus, and no row while one is pressed', () => {
  const onChoose = vi.fn();
  render(<Letters onChoose={onChoose} />);
  const list = screen.getByRole('listbox', { name: 'Letters' });
  list.scrollTop = 30; // the browser says so a frame later
  const row = screen.getByRole('option', { name: 'h' });
  fireEvent.mouseDown(row);
  fireEvent.focus(row);
  expect(active(), 'a marked row would be scrolled to, away from under the press').toBeUndefined();
  fireEvent.click(row);
  expect(onChoose).toHaveBeenCalledExactlyOnceWith(7);
  expect(active()).toBe('h');
  cleanup();

  render(<Letters onChoose={onChoose} />);
  screen.getByRole('listbox', { name: 'Letters' }).scrollTop = 30;
  fireEvent.focus(screen.getByRole('listbox', { name: 'Letters' }));
  expect(active()).toBe('b');
});

it('keeps the cursor on its record and in its place on the screen while 100 rows come above', () => {
  globalThis.ResizeObserver = class {
    readonly observe = () => this.tell([{ contentRect: { width: 300, height: 400 } } as ResizeObserverEntry], this);
    unobserve() {}
    disconnect() {}
    constructor(readonly tell: ResizeObserverCallback) {}
  };
  vi.spyOn(Element.prototype, 'scrollHeight', 'get').mockReturnValue(9999);
  const onChoose = vi.fn();
  const { rerender } = render(<Letters onChoose={onChoose} />);
  const list = screen.getByRole('listbox', { name: 'Letters' });
  list.scrollTop = 30;
  fireEvent.scroll(list);
  fireEvent.focus(list);
  for (const key of ['Home', 'ArrowDown', 'ArrowDown']) fireEvent.keyDown(list, { key });
  const scrolled = vi.fn();
  list.scrollTo = scrolled as typeof list.scrollTo;
  const more = Array.from({ length: 100 }, (_, at) => `new ${at}`);
  rerender(<Letters onChoose={onChoose} items={[...more, ...letters]} />);
  expect(scrolled.mock.calls.map(([to]) => to.top)).toEqual([30 + 100 * 40]);
  fireEvent.keyDown(list, { key: 'Enter' });
  expect(onChoose).toHaveBeenLastCalledWith(102);
  rerender(<Letters onChoose={onChoose} items={letters.toReversed()} />);
  fireEvent.keyDown(list, { key: 'Enter' });
  expect(onChoose, 'sorted the other way').toHaveBeenLastCalledWith(letters.length - 1 - 2);
  fireEvent.keyDown(list, { key: 'ArrowUp' });
  fireEvent.keyDown(list, { key: 'Enter' });
  expect(onChoose).toHaveBeenLastCalledWith(letters.length - 1 - 3);
});

it('shows at the top what comes above, while the cursor stays in view', () => {
  const { rerender } = render(<Letters onChoose={vi.fn()} />);
  const list = screen.getByRole('listbox', { name: 'Letters' });
  fireEvent.focus(list);
  for (const key of ['Home', 'ArrowDown']) fireEvent.keyDown(list, { key });
  rerender(<Letters onChoose={vi.fn()} items={['new', ...letters]} />);
  expect(active()).toBe('b');
  expect(screen.getByRole('option', { name: 'new' }).style.transform).toBe('translateY(0px)');
  expect(list.scrollTop).toBe(0);
});

it('has the row that took the place of a record that went', () => {
  const onChoose = vi.fn();
  const { rerender } = render(<Letters onChoose={onChoose} />);
  const list = screen.getByRole('listbox', { name: 'Letters' });
  fireEvent.focus(list);
  fireEvent.keyDown(list, { key: 'ArrowDown' });
  rerender(<Letters onChoose={onChoose} items={letters.filter((one) => one !== 'b')} />);
  expect(active()).toBe('c');
  rerender(<Letters onChoose={onChoose} items={['z', ...letters]} />);
  expect(active(), 'and stays on it').toBe('c');
  rerender(<Letters onChoose={onChoose} items={['z', 'a']} />);
  expect(active(), 'the last of fewer rows').toBe('a');
  rerender(<Letters onChoose={onChoose} items={[]} />);
  fireEvent.keyDown(list, { key: 'Enter' });
  expect(onChoose).not.toHaveBeenCalled();
});

it('has rows in the size of the text, and as high as a finger needs', () => {
  render(<Letters onChoose={vi.fn()} />);
  const second = () => {
    const { height, transform } = screen.getByRole('option', { name: 'b' }).style;
    return [height, transform];
  };
  expect(second()).toEqual(['40px', 'translateY(40px)']);
  act(() => setTextSize(200));
  expect(second()).toEqual(['80px', 'translateY(80px)']);
  act(() => setDensity('touch'));
  expect(second()).toEqual(['88px', 'translateY(88px)']);
  act(() => setTextSize(100));
  expect(second()).toEqual(['44px', 'translateY(44px)']);
  act(() => setDensity('compact'));
  expect(second()).toEqual(['40px', 'translateY(40px)']);
});
