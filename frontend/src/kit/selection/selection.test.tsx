// @vitest-environment jsdom
import { MantineProvider } from '@mantine/core';
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { cell } from '../../ui/list/cells';
import { PickAll } from '../../ui/list/PickBox';
import { useListCursor } from '../../ui/list/useListCursor';
import { VirtualListbox } from '../../ui/list/VirtualListbox';
import { forgetKept } from '../../ui/window/useKept';
import { SelectionBar } from './SelectionBar';
import { useSelected, useSelection } from './useSelection';

beforeAll(() => {
  globalThis.ResizeObserver = class {
    observe() {}
    unobserve() {}
    disconnect() {}
  };
  window.matchMedia = (query) =>
    ({ matches: false, media: query, addEventListener() {}, removeEventListener() {} }) as unknown as MediaQueryList;
});
beforeEach(forgetKept);
afterEach(cleanup);

const letters = [...'abcdefgh'];
const idOf = (letter: string) => letter;

function Letters({ items = letters, onOpen = () => {} }: { items?: string[]; onOpen?: (index: number) => void }) {
  const cursor = useListCursor(items, idOf, onOpen);
  const picking = useSelection('letter', items, idOf);
  return (
    <MantineProvider>
      <PickAll picking={picking} loaded={items.length} />
      <VirtualListbox
        {...{ id: 'letters', label: 'Letters', items, rowHeight: 40, cursor, keyOf: idOf, picking, heads: ['Letter'] }}
        onChoose={onOpen}
        renderRow={(letter) => <span {...cell}>{letter}</span>}
      />
      <SelectionBar picking={picking} goesOn={false}>
        <Chosen />
      </SelectionBar>
    </MantineProvider>
  );
}

/** What acts on several records knows their kind and ids. */
function Chosen() {
  const records = useSelected('letter');
  return <output aria-label="Chosen">{records.map(({ entity, id }) => `${entity} ${id}`).join(', ')}</output>;
}

const grid = () => screen.getByRole('grid', { name: 'Letters' });
const rows = () =>
  within(grid())
    .getAllByRole('row', { selected: true })
    .map((row) => row.textContent);
const chosen = () => screen.queryByRole('status', { name: 'Chosen' })?.textContent;
const row = (letter: string) => within(grid()).getByRole('row', { name: new RegExp(`${letter}$`) });
const box = (letter: string) => within(row(letter)).getByRole('checkbox', { name: 'Select' });
const press = (key: string, more = {}) => fireEvent.keyDown(grid(), { key, ...more });

it('selects by keyboard alone: Space, Shift with arrows, Ctrl A, and none with Escape', () => {
  const onOpen = vi.fn();
  render(<Letters onOpen={onOpen} />);
  expect(grid().getAttribute('aria-multiselectable')).toBe('true');
  fireEvent.focus(grid());
  expect(within(grid()).queryAllByRole('row', { selected: true }), 'the marked row is not selected').toEqual([]);
  press('ArrowDown');
  press(' ');
  expect(rows()).toEqual(['b']);
  press('ArrowDown', { shiftKey: true });
  press('ArrowDown', { shiftKey: true });
  expect(rows()).toEqual(['b', 'c', 'd']);
  press('ArrowUp', { shiftKey: true });
  expect(rows()).toEqual(['b', 'c']);
  press('ArrowDown');
  press('ArrowDown');
  press(' ');
  expect(chosen()).toBe('letter b, letter c, letter e');
  press(' ');
  expect(chosen()).toBe('letter b, letter c');
  press('a', { ctrlKey: true });
  expect(rows()).toEqual(letters);
  press('Escape');
  expect(chosen()).toBeUndefined();
  expect(onOpen).not.toHaveBeenCalled();
  press('Enter');
  expect(onOpen).toHaveBeenCalledExactlyOnceWith(4);
});

it('selects by box, by Shift and by Ctrl; a plain click still opens', () => {
  const onOpen = vi.fn();
  render(<Letters onOpen={onOpen} />);
  fireEvent.click(box('b'));
  expect(rows()).toEqual(['b']);
  expect(document.activeElement, 'the keys go on from there').toBe(grid());
  fireEvent.click(row('e'), { shiftKey: true });
  expect(rows()).toEqual(['b', 'c', 'd', 'e']);
  fireEvent.click(row('c'), { ctrlKey: true });
  expect(rows()).toEqual(['b', 'd', 'e']);
  fireEvent.click(box('g'), { shiftKey: true });
  expect(rows()).toEqual(['b', 'd', 'e', 'c', 'f', 'g'].sort());
  expect(onOpen).not.toHaveBeenCalled();
  fireEvent.click(row('a'));
  expect(onOpen).toHaveBeenCalledExactlyOnceWith(0);

  const all = screen.getByRole('checkbox', { name: 'Select all that are loaded' });
  expect((all as HTMLInputElement).indeterminate).toBe(true);
  fireEvent.click(all);
  expect(rows()).toEqual(letters);
  fireEvent.click(all);
  expect(chosen()).toBeUndefined();
});

it('says how many are selected, and how many of them the list does not show', () => {
  const { rerender } = render(<Letters />);
  fireEvent.click(box('b'));
  fireEvent.click(box('c'));
  const bar = screen.getByRole('region', { name: 'Selected' });
  expect(bar.textContent).toContain('2 selected');
  expect(bar.textContent).not.toContain('not in this list');
  rerender(<Letters items={['a', 'b']} />);
  expect(bar.textContent).toContain('1 of them is not in this list');
  expect(chosen(), 'it is selected all the same').toBe('letter b, letter c');
  fireEvent.click(screen.getByRole('button', { name: 'Select none' }));
  expect(bar.hidden).toBe(true);
});
