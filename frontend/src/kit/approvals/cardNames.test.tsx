// @vitest-environment jsdom
import { MantineProvider } from '@mantine/core';
import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Backend } from '../../bridge/backend';
import { noDomain } from '../domain';
import { KitProvider } from '../KitProvider';
import { Approvals } from './Approvals';

const names: Record<string, string> = {
  ...{ 'folder none': 'No folder', 'person none': 'No person', 'person per_kimdoe_1': 'Kim Doe' },
};
const id = (entity: string) => ({ type: 'string', 'x-entity': entity });
const text = { type: 'string' };
const properties = { folderId: id('folder'), personId: id('person'), tags: { type: 'array', items: text }, text };
const manifest = {
  ...{ schema_version: '0.2.0', application: { name: 'Notes', version: '1' } },
  capabilities: [
    {
      name: 'note.add',
      title: 'Add a note',
      side_effect: 'destructive',
      available: true,
      input_schema: { properties },
    },
    { name: 'plan.propose', title: 'Do as one', side_effect: 'destructive', available: true },
    { name: 'entity.names', title: 'Names', side_effect: 'pure', available: true },
  ],
  entities: ['folder', 'person'].map((type) => ({ type, title: type, link: `${type}/{id}`, sources: [] })),
};
const values = { '/folderId': 'none', '/personId': 'none', '/tags/0': 'none', '/text': 'per_kimdoe_1' };
const argumentsAt = (top: string) =>
  Object.entries(values).map(([at, value]) => ({ pointer: top + at, label: at.slice(1), value, text: value }));
const columns = { folder_id: 'none', person_id: 'none', tag: 'none', text: 'per_kimdoe_1' };
const card = {
  ...{ approval_id: 'a1', request_id: 'r1', conversation_id: 'c1', capability: 'note.add', title: 'Add a note' },
  ...{ side_effect: 'destructive', sentence: 'Add “per_kimdoe_1” with the tag none', expires_at: Date.now() + 60_000 },
  effects: [{ table: 'notes', key: { id: 'none' }, op: 'insert', after: columns }],
};

let emit: (event: object) => void;
let cards: object[] = [];

beforeEach(async () => {
  const none = async () => '{}';
  const backend: Backend = {
    ...{ cancel: none, send: none, stop: none, decide: none, pickFile: none, dropFile: none },
    manifest: async (json) => JSON.stringify(JSON.parse(json).cards ? { cards } : manifest),
    invoke: async (json) => {
      const asked: { entity: string; id: string }[] = JSON.parse(json).arguments.records ?? [];
      const records = asked
        .map((one) => ({ ...one, name: names[`${one.entity} ${one.id}`] }))
        .filter(({ name }) => name);
      return JSON.stringify({ status: 'success', data: { records } });
    },
    on: (stream, listener) => {
      if (stream === 'approval') emit = (event) => listener(JSON.stringify(event));
      return () => undefined;
    },
  };
  render(
    <MantineProvider env="test">
      <KitProvider backend={backend} domain={{ ...noDomain, useOpenLink: () => () => undefined }}>
        <Approvals Fields={() => null} />
      </KitProvider>
    </MantineProvider>,
  );
});
afterEach(cleanup);

async function shown(asked: object) {
  cards = [asked];
  act(() => emit({ type: 'opened', card: asked }));
  const article = await screen.findByRole('article');
  await waitFor(() => expect(article.textContent).toContain('No person'));
  const read = (places: NodeListOf<Element>) =>
    [...places].map((place) =>
      [place.querySelector('dt')?.textContent, place.querySelector('dd')?.textContent].join(' '),
    );
  return {
    args: read(article.querySelectorAll('[data-pointer]')),
    links: within(article)
      .queryAllByRole('button')
      .map((button) => button.textContent),
    sentence: within(article).getByRole('heading', { level: 2 }).textContent,
    rows: read(article.querySelectorAll('li dl > div')),
  };
}

const named = ['folderId No folder', 'personId No person', 'tags/0 none', 'text per_kimdoe_1'];

it('names a record where one of its kind stands: not in an equal text, nor by the name of another kind', async () => {
  const { args, rows } = await shown({ ...card, arguments: argumentsAt('') });
  expect(args).toEqual(named);
  expect(rows).toEqual(['Tag none', 'Text per_kimdoe_1', 'Folder No folder', 'Person No person']);
});

it('neither renames nor links a text that is equal to the id of a record on the card', async () => {
  const args = argumentsAt('').map((one) => (one.pointer === '/personId' ? { ...one, value: values['/text'] } : one));
  const { args: read, links, sentence } = await shown({ ...card, arguments: args });
  expect(read.slice(1)).toEqual(['personId Kim Doe', 'tags/0 none', 'text per_kimdoe_1']);
  expect(links.filter((link) => /none|Kim|per_/.test(link ?? ''))).toEqual(['Kim Doe']);
  expect(sentence, 'the text is in it').toBe(card.sentence);
});

it('names the records in the steps of a plan', async () => {
  const capability = { pointer: '/steps/0/capability', label: 'Capability', value: 'note.add', text: 'note.add' };
  const plan = { ...card, capability: 'plan.propose', steps: ['Add it'], effects: [] };
  const { args } = await shown({ ...plan, arguments: [capability, ...argumentsAt('/steps/0/arguments')] });
  expect(args.map((arg) => arg.replace(/^.* (?=No folder|No person|none|per_)/, ''))).toEqual([
    ...['No folder', 'No person', 'none', 'per_kimdoe_1'],
  ]);
});
