import { describe, expect, it } from 'vitest';
import { FakeBackend } from '../shop/fake/backend';
import type { ApprovalCard } from './approval';
import type { Backend } from './backend';
import { Client } from './client';
import { BusError } from './error';
import { entry } from './manifest';

/** A backend that answers every call with the same text and keeps what it was asked. */
function answering(answer: string) {
  const asked: unknown[] = [];
  const method = async (json: string) => {
    asked.push(JSON.parse(json));
    return answer;
  };
  const methods = { invoke: method, cancel: method, manifest: method, send: method, stop: method };
  const backend: Backend = { ...methods, decide: method, pickFile: method, dropFile: method, on: () => () => {} };
  return { client: new Client(backend), asked };
}

const source = { source: 'Test' };
const failure = (thrown: unknown) => thrown as BusError;

describe('Client', () => {
  it('sends the wire shape and gives the answer', async () => {
    const { client, asked } = answering('{"status":"success","request_id":"r1","data":{"page":"orders"}}');
    const result = await client.invoke('navigation.go', { page: 'orders' }, { ...source, requestId: 'r1' });
    expect(result.data.page).toBe('orders');
    expect(asked).toEqual([
      {
        capability: 'navigation.go',
        arguments: { page: 'orders' },
        request_id: 'r1',
        caller: { type: 'ui', source: 'Test' },
      },
    ]);
  });

  it('makes a request id when none is given', async () => {
    const { client, asked } = answering('{"status":"success","request_id":"x","data":{}}');
    await client.invoke('theme.toggle', {}, source);
    expect(asked[0]).toHaveProperty('request_id', expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/));
  });

  it('throws a refusal with its code, reason and hint', async () => {
    const { client } = answering(
      JSON.stringify({
        ...{ status: 'error', request_id: 'r', code: 'PRECONDITION_FAILED', reason: 'condition' },
        ...{ message: 'The cart is empty.', recovery_hint: 'Add something.', retryable: false },
      }),
    );
    const thrown = await client.invoke('theme.toggle', {}, source).catch(failure);
    expect(thrown).toBeInstanceOf(BusError);
    expect(thrown).toMatchObject({
      ...{ code: 'PRECONDITION_FAILED', reason: 'condition' },
      ...{ message: 'The cart is empty.', recoveryHint: 'Add something.' },
    });
  });

  it('throws what a method answers as an error', async () => {
    const { client } = answering('{"error":{"code":"CONFLICT","message":"This was already answered (deny)."}}');
    const thrown = await client.decide({ approval_id: 'a', answer: 'allow' }).catch(failure);
    expect(thrown).toMatchObject({ code: 'CONFLICT', message: 'This was already answered (deny).' });
  });

  it('says so when the application does not answer sensibly', async () => {
    const { client } = answering('not JSON');
    expect(await client.manifest().catch(failure)).toMatchObject({ code: 'INTERNAL', reason: 'connection' });
  });

  it('knows the file behind a token by its name', async () => {
    const { client } = answering('{"file":"file_1","name":"products.csv"}');
    expect(client.fileNames).toEqual({});
    await client.pickFile('csv');
    expect(client.fileNames).toEqual({ file_1: 'products.csv' });
  });

  it('hands over a dropped file byte for byte', async () => {
    const { client, asked } = answering('{"file":"file_2","name":"people.csv","size":4,"kind":""}');
    const dropped = await client.dropFile(new File([new Uint8Array([0xef, 0xbb, 0xbf, 0xe9])], 'people.csv'));
    expect(asked).toEqual([{ name: 'people.csv', content: '77u/6Q==' }]);
    expect(dropped).toEqual({ file: 'file_2', name: 'people.csv', size: 4, kind: undefined });
    expect(client.fileNames).toEqual({ file_2: 'people.csv' });
  });

  it('says so when a dropped file cannot be read', async () => {
    const { client, asked } = answering('{}');
    const gone = new File([], 'people.csv');
    gone.arrayBuffer = () => Promise.reject(new DOMException('gone', 'NotFoundError'));
    expect(await client.dropFile(gone).catch(failure)).toMatchObject({ message: 'people.csv cannot be read.' });
    expect(asked).toEqual([]);
  });

  it('asks for the manifest once, and then for what changes of it until it is another', async () => {
    const backend = new FakeBackend();
    const client = new Client(backend);
    const asked: unknown[] = [];
    const answer = backend.manifest.bind(backend);
    let shown = (list: unknown[]) => list;
    backend.manifest = async (json) => {
      asked.push(JSON.parse(json));
      const said = JSON.parse(await answer(json));
      return JSON.stringify({ ...said, capabilities: shown(said.capabilities) });
    };
    const first = await client.manifest();
    expect(await client.manifest()).toBe(first);
    await client.invoke('theme.set', { theme: 'dark' }, source);
    const dark = await client.manifest();
    expect(entry(dark, 'theme.set')).toMatchObject({ title: 'Choose the theme', current: 'dark' });
    expect(asked).toEqual([{ loading: true }, { states: true }, { states: true }]);
    shown = (list) => list.slice(1);
    expect((await client.manifest()).capabilities).toEqual(dark.capabilities.slice(1));
    expect(asked.slice(3)).toEqual([{ states: true }, {}]);
  });

  it('lets a card expire by the clock of this computer, which may be an hour behind the shop', async () => {
    const card = { approval_id: 'a1', expires_at: Date.now() + 3_600_000 + 60_000, expires_in: 60_000 };
    const left = ({ expires_at }: { expires_at: number }) => Math.round((expires_at - Date.now()) / 1000);
    const { client } = answering(JSON.stringify({ cards: [card] }));
    expect((await client.cards()).map(left)).toEqual([60]);
    const backend = new FakeBackend();
    const told: number[] = [];
    new Client(backend).on('approval', (event) => told.push(left(event.card)));
    backend.emit('approval', { type: 'opened', card: card as ApprovalCard });
    expect(told).toEqual([60]);
  });
});
