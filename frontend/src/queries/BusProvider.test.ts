import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { BusEvent } from '../bridge/wire';
import {
  answerKey,
  callKey,
  MANIFEST_KEY,
  pagesKey,
  previewKey,
  readAgainByClock,
  readPreviewsAgain,
  refresh,
} from './BusProvider';

const manifest = {
  schema_version: '0.2.0',
  application: { name: 'Notes', version: '1' },
  capabilities: Object.entries({
    ...{ 'note.list': ['note', 'tag'], 'note.search': ['note', 'tag'], 'tag.list': ['tag'], 'book.get': [] },
    'audit.search': ['audit'],
  }).map(([name, provides]) => ({ name, title: name, side_effect: 'pure', available: true, provides })),
};
const keys = {
  notes: answerKey('note.list', {}),
  more: pagesKey('note.search', { limit: 100 }),
  tags: answerKey('tag.list', {}),
  book: answerKey('book.get', {}),
  undeclared: answerKey('weather.get', {}),
  audit: answerKey('audit.search', {}),
  records: pagesKey('audit.search', {}),
  manifest: MANIFEST_KEY,
  preview: previewKey('note.add', '{}'),
};
let queries: QueryClient;

function staleAfter(event: BusEvent): string[] {
  refresh(queries, event);
  return Object.entries(keys).flatMap(([name, key]) => (queries.getQueryState(key)?.isInvalidated ? [name] : []));
}

describe('refresh', () => {
  beforeEach(() => {
    queries = new QueryClient();
    for (const key of Object.values(keys)) queries.setQueryData(key, key === MANIFEST_KEY ? manifest : {});
  });

  it('asks again for what is made of a changed domain, and for what is possible', () => {
    expect(staleAfter({ type: 'stateChange', domain: 'note' })).toEqual([
      'notes',
      'more',
      'undeclared',
      'manifest',
      'preview',
    ]);
  });
  it('leaves the preview of a call alone while it runs: the change may be its own', () => {
    const running = (name: string) =>
      queries
        .getMutationCache()
        .build(queries, { mutationKey: callKey(name), mutationFn: () => new Promise(() => {}) });
    void running('book.add').execute(undefined);
    expect(staleAfter({ type: 'stateChange', domain: 'tag' })).toContain('preview');
    queries.setQueryData(keys.preview, {});
    void running('note.add').execute(undefined);
    expect(staleAfter({ type: 'stateChange', domain: 'tag' })).not.toContain('preview');
    readPreviewsAgain(queries, 'note.add');
    expect(queries.getQueryState(keys.preview)?.isInvalidated).toBe(true);
  });
  it('asks again for what is made of several', () => {
    const all = ['notes', 'more', 'tags', 'undeclared', 'manifest', 'preview'];
    expect(staleAfter({ type: 'stateChange', domain: 'tag' })).toEqual(all);
  });
  it('asks for everything again when everything may have changed', () => {
    expect(staleAfter({ type: 'stateChange', domain: '*' })).toEqual(Object.keys(keys));
  });
  it('forgets every answer when somebody else comes, or nobody is there', () => {
    refresh(queries, { type: 'stateChange', domain: 'session' });
    expect(Object.values(keys).map((key) => queries.getQueryData(key))).toEqual(Object.keys(keys).map(() => undefined));
  });
  it('asks for the records again when something was done, but not for all that were scrolled through', () => {
    expect(staleAfter({ type: 'invocation', capability: 'note.add', status: 'success' })).toEqual(['audit']);
  });
  it('asks for the records again when something was undone', () => {
    expect(staleAfter({ type: 'invocation', capability: 'audit.undo', status: 'success' })).toEqual(['audit']);
  });
  it('does not go round in circles when the records are read', () => {
    expect(staleAfter({ type: 'invocation', capability: 'audit.search', status: 'success' })).toEqual([]);
  });
  it('does not take an answer that was asked for before the event', async () => {
    const answers: ((words: string) => void)[] = [];
    const queryFn = () => new Promise<string>((answer) => answers.push(answer));
    const shown = new QueryObserver(queries, { queryKey: answerKey('note.get', {}), queryFn });
    const leave = shown.subscribe(() => undefined);
    refresh(queries, { type: 'stateChange', domain: 'note' });
    answers[1]?.('after');
    answers[0]?.('before');
    await vi.waitFor(() => expect(shown.getCurrentResult().data).toBe('after'));
    expect(answers).toHaveLength(2);
    leave();
  });
  it('asks again for what could not be read without a link, when that is back', async () => {
    let linked = false;
    const queryFn = () => (linked ? Promise.resolve('read') : Promise.reject(new Error('no link')));
    const shown = new QueryObserver(queries, { queryKey: answerKey('note.get', {}), queryFn, retry: false });
    const leave = shown.subscribe(() => undefined);
    await vi.waitFor(() => expect(shown.getCurrentResult().isError).toBe(true));
    linked = true;
    expect(staleAfter({ type: 'stateChange', domain: 'link', ids: ['down'] })).toEqual([]);
    expect(shown.getCurrentResult().isFetching).toBe(false);
    expect(staleAfter({ type: 'stateChange', domain: 'link', ids: ['up'] })).toEqual([]);
    await vi.waitFor(() => expect(shown.getCurrentResult().data).toBe('read'));
    leave();
  });
  it('asks again for what was read from a copy while there was no link', () => {
    const ids = [String(Date.now()), 'audit.search'];
    expect(staleAfter({ type: 'stateChange', domain: 'link', ids: ['down', ...ids] })).toEqual([]);
    expect(staleAfter({ type: 'stateChange', domain: 'link', ids: ['up', ...ids] })).toEqual(['audit', 'records']);
  });
  it('asks for everything again when it missed something', () => {
    expect(staleAfter({ type: 'missed', missed: 3 })).toEqual(Object.keys(keys));
  });
});

it('asks again when a day begins, wherever the shop is', () => {
  vi.useFakeTimers({ now: new Date('2026-03-01T23:44:30Z') });
  queries = new QueryClient();
  const stale = () => queries.getQueryState(keys.book)?.isInvalidated;
  queries.setQueryData(keys.book, {});
  let linked = true;
  const stop = readAgainByClock(queries, () => linked);
  vi.advanceTimersByTime(20_000);
  expect(stale()).toBe(false);
  vi.advanceTimersByTime(20_000);
  expect(stale()).toBe(true);
  queries.setQueryData(keys.book, {});
  vi.advanceTimersByTime(14 * 60_000);
  expect(stale(), 'once').toBe(false);
  vi.setSystemTime(new Date('2026-03-02T07:00:00Z')); // the computer slept
  linked = false;
  vi.advanceTimersByTime(10_000);
  expect(stale(), 'what is shown stays while the shop cannot be reached').toBe(false);
  linked = true;
  vi.advanceTimersByTime(10_000);
  expect(stale()).toBe(true);
  stop();
  vi.useRealTimers();
});
