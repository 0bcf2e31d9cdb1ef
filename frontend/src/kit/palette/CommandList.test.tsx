// @vitest-environment jsdom
import { MantineProvider } from '@mantine/core';
import { act, cleanup, fireEvent, render, renderHook, screen, within } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import type { Backend } from '../../bridge/backend';
import type { ManifestEntry } from '../../bridge/manifest';
import { KitProvider } from '../KitProvider';
import { useListValues } from '../views/useListValues';
import { CommandList } from './CommandList';

const query = { type: 'object', properties: { query: { type: 'string' } } };
const entries: ManifestEntry[] = [
  { name: 'note.list', title: 'List notes', side_effect: 'pure', available: true, input_schema: query },
  { name: 'note.anchor', title: 'Anchor a note', side_effect: 'pure', available: true },
];

const overdue = { id: 'v1', list: 'note.list', name: 'Overdue', values: { query: 'late' } };

/** Searches that are answered when a test says so. */
const asked = new Map<string, () => void>();
const backend = {
  on: () => () => undefined,
  manifest: async () =>
    JSON.stringify({
      application: { name: 'Notes', version: '1' },
      capabilities: [...entries, { name: 'view.list', title: 'Views', available: true, passive: true }],
      entities: [{ type: 'note', title: 'Note', link: 'notes/{id}', sources: ['note.list#/notes'] }],
    }),
  invoke: async (json: string) => {
    const { capability, arguments: args, request_id } = JSON.parse(json);
    if (capability === 'view.list')
      return JSON.stringify({ status: 'success', request_id, data: { views: [overdue] } });
    await new Promise<void>((answer) => asked.set(args.query, answer));
    const notes = [{ id: args.query, name: `A note on ${args.query}` }];
    return JSON.stringify({ status: 'success', request_id, data: { notes } });
  },
} as unknown as Backend;

const opened = vi.fn();
const onChoose = vi.fn();
const onRun = vi.fn();
const domain = {
  views: { list: 'view.list', save: 'view.save', remove: 'view.remove', pages: { 'note.list': 'notes' } },
  useOpenLink: () => opened,
  useDestinations: () => ({
    pages: [{ title: 'Archive', link: 'archive', shortcut: 'Alt+1' }],
    settings: [{ title: 'Analysis', link: 'settings/analysis' }],
  }),
};

const field = () => screen.getByRole('combobox');
const wait = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));
const answer = async (words: string) => {
  expect([...asked.keys()]).toContain(words);
  asked.get(words)?.();
  await wait(10);
};
const type = (value: string) => fireEvent.change(field(), { target: { value } });
const titles = () => screen.queryAllByRole('option').map(({ textContent }) => textContent);
const active = () => screen.queryByRole('option', { selected: true })?.textContent;

beforeAll(() => {
  globalThis.ResizeObserver = class {
    observe() {}
    unobserve() {}
    disconnect() {}
  };
});
beforeEach(async () => {
  vi.useFakeTimers();
  render(
    <MantineProvider env="test">
      <KitProvider backend={backend} domain={domain}>
        <CommandList
          entries={entries}
          next={['note.anchor']}
          onChoose={onChoose}
          onRun={onRun}
          onClose={() => undefined}
        />
      </KitProvider>
    </MantineProvider>,
  );
  await wait(10);
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.clearAllMocks();
  asked.clear();
});

it('lists pages, records, settings and actions, each in a group of its name', async () => {
  type('an');
  await wait(200);
  await answer('an');
  const groups = screen.getAllByRole('group').map((group) => {
    const rows = within(group).getAllByRole('option');
    return [group.getAttribute('aria-label'), ...rows.map(({ textContent }) => textContent)];
  });
  expect(groups).toEqual([
    ['Note', 'A note on an'],
    ['Settings', 'Analysis'],
    ['Actions', 'Anchor a notenext'],
  ]);
  type('');
  expect(screen.getAllByRole('group').map((group) => group.getAttribute('aria-label'))).toEqual([
    ...['Likely next', 'Pages', 'Views', 'Actions'],
  ]);
});

it('asks for no records by one letter, nor by each letter of a word', async () => {
  type('a');
  await wait(200);
  for (const text of ['an', 'anc', 'anch']) {
    type(text);
    await wait(50);
  }
  await wait(200);
  expect([...asked.keys()]).toEqual(['anch']);
});

it('never shows the records of an earlier text', async () => {
  type('ana');
  await wait(200);
  type('anal');
  await answer('ana');
  expect(titles()).toEqual(['Analysis']);
  await wait(200);
  expect(titles()).toEqual(['Analysis']);
  await answer('anal');
  expect(titles()).toEqual(['A note on anal', 'Analysis']);
});

it('keeps Enter until the records are there that stand before the rest', async () => {
  type('anal');
  expect(active()).toBeUndefined();
  fireEvent.keyDown(field(), { key: 'Enter' });
  await wait(200);
  expect(opened).not.toHaveBeenCalled();
  await answer('anal');
  expect(opened).toHaveBeenCalledExactlyOnceWith('notes/anal');
});

it('forgets an Enter when the text goes on', async () => {
  type('anal');
  fireEvent.keyDown(field(), { key: 'Enter' });
  type('analy');
  await wait(200);
  await answer('analy');
  expect(opened).not.toHaveBeenCalled();
});

it('opens a page at once: records come below it', () => {
  type('arhcive');
  expect(active()).toBe('ArchiveAlt 1');
  fireEvent.keyDown(field(), { key: 'Enter' });
  expect(opened).toHaveBeenCalledExactlyOnceWith('archive');
});

it('stays at the row that was marked when records come before it', async () => {
  type('anal');
  fireEvent.keyDown(field(), { key: 'ArrowDown' });
  expect(active()).toBe('Analysis');
  await wait(200);
  await answer('anal');
  expect(active()).toBe('Analysis');
  fireEvent.keyDown(field(), { key: 'ArrowUp' });
  fireEvent.keyDown(field(), { key: 'Enter' });
  expect(opened).toHaveBeenCalledExactlyOnceWith('notes/anal');
});

it('finds saved views, and opens the list as the view has it', async () => {
  const { result } = renderHook(() => useListValues('note.list'));
  type('overd');
  await wait(200);
  await answer('overd');
  fireEvent.keyDown(field(), { key: 'Enter' });
  await wait(10);
  expect(opened).toHaveBeenCalledExactlyOnceWith('notes');
  expect(result.current[0]).toEqual({ query: 'late' });
});

it('has an action that is typed by its whole name before any record, and Enter takes it at once', async () => {
  type('note.anchor');
  await wait(200);
  await answer('note.anchor');
  expect(titles()[0]).toContain('Anchor a note');
  expect(titles()).toContain('A note on note.anchor');
  type('anchor a note');
  fireEvent.keyDown(field(), { key: 'Enter' });
  expect(onChoose).toHaveBeenLastCalledWith('note.anchor');
});
