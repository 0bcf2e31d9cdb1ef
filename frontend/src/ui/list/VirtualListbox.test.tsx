// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import { setDensity, setTextSize } from '../theme/sizes';
import { useListCursor } from './useListCursor';
import { VirtualListbox } from './VirtualListbox';

beforeAll(() => {
  globalThis.ResizeObserver = class {
    observe() {}
    unobserve() {}
    disconnect() {}
  };
});
afterEach(cleanup);

const letters = [...'abcdefghijklmnopqrstuvwxyz'];

function Letters({ onChoose }: { onChoose: (index: number) => void }) {
  const cursor = useListCursor(letters.length, onChoose);
  return (
    <VirtualListbox
      {...{ id: 'letters', label: 'Letters', items: letters, rowHeight: 40, cursor, onChoose }}
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
