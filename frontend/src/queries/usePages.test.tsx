// @vitest-environment jsdom
import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Response } from '../bridge/capabilities';
import { Client } from '../bridge/client';
import { FakeBackend } from '../shop/fake/backend';
import { BusProvider } from './BusProvider';
import type { PagedList } from './pagedList';
import { useManifest } from './useManifest';
import { usePages } from './usePages';

const PAGE = 50;
const TAKES = 20; // ms, each read

/** A thousand conversations, newest first, read by the number of the last one of a page. */
class Talks extends FakeBackend {
  newest = 1000;
  constructor() {
    super();
    const provides = ['conversation'];
    this.offer({ name: 'conversation.list', title: 'Talks', side_effect: 'pure', provides, run: () => ({}) });
  }
  read: string[] = [];
  override async invoke(json: string) {
    const { capability, arguments: args } = JSON.parse(json);
    if (capability !== 'conversation.list') return super.invoke(json);
    const { cursor = '' } = args as { cursor?: string };
    this.read.push(cursor);
    await new Promise((resolve) => setTimeout(resolve, TAKES));
    const from = cursor === '' ? this.newest : Number(cursor) - 1;
    const conversations = Array.from({ length: Math.min(PAGE, from) }, (_, i) => ({ id: `c${from - i}` }));
    const hasMore = from > PAGE;
    const data = { conversations, hasMore, nextCursor: hasMore ? String(from - PAGE + 1) : undefined };
    return JSON.stringify({ status: 'success', request_id: 'r', data });
  }
  changed(domain = 'conversation') {
    this.emit('bus', { type: 'stateChange', domain });
  }
}

type Talk = Response<'conversation.list'>['conversations'][number];
let list: PagedList<Talk>;
const keyOf = ({ id }: Talk) => id;
const idsOf = ({ conversations }: { conversations: Talk[] }) => conversations.map(keyOf);

function Rows() {
  const pages = usePages(
    'conversation.list',
    {},
    { source: 'Test', keyOf, rowsOf: ({ conversations }) => conversations },
  );
  list = pages.list;
  return <p>{`${pages.items.length} from ${pages.items[0]?.id}`}</p>;
}

/** The manifest says what answers are made of. */
function WithManifest() {
  useManifest();
  return null;
}

const page = (client: Client) => (
  <BusProvider client={client}>
    <WithManifest />
    <Rows />
  </BusProvider>
);
const shown = (backend: Talks) => {
  const client = new Client(backend);
  return { client, view: render(page(client)) };
};
const after = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

/** Shows a list of twenty pages, of which rows in the middle of one are in view. */
async function twentyPages(backend: Talks) {
  const made = shown(backend);
  await after(100);
  for (let first = 0; first < 1000; first += 30) {
    list.show(first, first + 20);
    await after(50);
  }
  expect(screen.getByText('1000 from c1000')).toBeTruthy();
  list.show(410, 430);
  await after(100);
  backend.read = [];
  return made;
}

beforeEach(() => void vi.useFakeTimers({ now: Date.UTC(2026, 10, 29, 12) }));
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

it('reads the page in view at most twice for five events over twenty pages', async () => {
  const backend = new Talks();
  await twentyPages(backend);
  for (let i = 0; i < 5; i += 1) {
    backend.changed();
    await after(TAKES / 10);
  }
  await after(200);
  expect(backend.read).toEqual(['601', '601']);
});

it('reads nothing again for an event of another domain', async () => {
  const backend = new Talks();
  await twentyPages(backend);
  backend.changed('grant');
  await after(200);
  expect(backend.read).toEqual([]);
});

it('reads what changed while it was not shown, when it is shown again', async () => {
  const backend = new Talks();
  const { client, view } = await twentyPages(backend);
  list.show(0, 20);
  view.rerender(<BusProvider client={client}>another page</BusProvider>);
  backend.newest = 1003;
  backend.changed();
  await after(100);
  expect(backend.read).toEqual([]);
  view.rerender(page(client));
  expect(screen.getByText('1000 from c1000')).toBeTruthy();
  await after(100);
  expect(backend.read).toEqual(['']);
  expect(screen.getByText('1003 from c1003')).toBeTruthy();
});

it('gives each component a separate list', async () => {
  const client = new Client(new Talks());
  function Ids() {
    const { items } = usePages('conversation.list', {}, { source: 'Ids', rowsOf: idsOf, keyOf: (id) => id });
    return <p>{`first: ${items[0]}`}</p>;
  }
  render(
    <BusProvider client={client}>
      <Rows />
      <Ids />
    </BusProvider>,
  );
  await after(100);
  expect(screen.getByText('50 from c1000')).toBeTruthy();
  expect(screen.getByText('first: c1000')).toBeTruthy();
});
