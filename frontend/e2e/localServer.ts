import { readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A server of models on this computer: what it answers to each GET, and what to one that it does not know. */
interface Kind {
  /** The file of its conversation in agent/openai/testdata/conversations. */
  conversation: string;
  gets: Record<string, object>;
  unknown: { status: number; body: object };
}

const list = (...ids: string[]) => ({
  object: 'list',
  data: ids.map((id) => ({ id, object: 'model', created: 1758000000, owned_by: 'organization_owner' })),
});

/** Three servers, as their documentation describes them. */
export const kinds = {
  Ollama: {
    conversation: 'ollama',
    gets: {
      '/v1/models': list('qwen3:8b', 'nomic-embed-text:latest', 'llama3.1:8b'),
      '/api/ps': { models: [{ name: 'qwen3:8b', model: 'qwen3:8b', context_length: 16384, size_vram: 6_000_000_000 }] },
    },
    unknown: { status: 404, body: {} },
  },
  'LM Studio': {
    conversation: 'lmstudio',
    gets: {
      '/v1/models': list('qwen2.5-7b-instruct', 'text-embedding-nomic-embed-text-v1.5'),
      '/api/v0/models': {
        object: 'list',
        data: [
          {
            ...{ id: 'qwen2.5-7b-instruct', object: 'model', type: 'llm', publisher: 'lmstudio-community' },
            ...{ arch: 'qwen2', state: 'loaded', max_context_length: 32768, loaded_context_length: 16384 },
          },
        ],
      },
    },
    unknown: { status: 200, body: { error: 'Unexpected endpoint or method. Returning 200 anyway' } },
  },
  'llama.cpp': {
    conversation: 'llamacpp',
    gets: {
      '/v1/models': list('qwen3-8b-q4_k_m.gguf'),
      '/props': { default_generation_settings: { id: 0, n_ctx: 16384 }, total_slots: 1, chat_template: '…' },
    },
    unknown: { status: 404, body: { error: { code: 404, message: 'File Not Found', type: 'not_found_error' } } },
  },
} satisfies Record<string, Kind>;

const testdata = resolve(dirname(fileURLToPath(import.meta.url)), '../../agent/openai/testdata/conversations');

/** The stream with a text, of a server's conversation. */
function streamOf({ conversation }: Kind): string {
  const exchanges = readFileSync(resolve(testdata, `${conversation}.txt`), 'utf8').split('\n=====\n');
  return (exchanges[1] ?? '').split('\n\n').slice(1).join('\n\n');
}

/** Runs something while a server answers at an address; what it was asked for a reply is handed on. */
export async function withLocal(kind: Kind, address: string, run: (asked: string[]) => Promise<void>): Promise<void> {
  const asked: string[] = [];
  const answer = (response: ServerResponse, status: number, type: string, body: string) => {
    response.writeHead(status, { 'Content-Type': type });
    response.end(body);
  };
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const piece of request) body += piece;
    if (request.method === 'POST' && request.url === '/v1/chat/completions') {
      asked.push(body);
      answer(response, 200, 'text/event-stream', streamOf(kind));
      return;
    }
    const known = request.method === 'GET' ? kind.gets[request.url ?? ''] : undefined;
    answer(response, known ? 200 : kind.unknown.status, 'application/json', JSON.stringify(known ?? kind.unknown.body));
  });
  await new Promise<void>((ready) => server.listen(Number(new URL(address).port), '127.0.0.1', ready));
  try {
    await run(asked);
  } finally {
    server.closeAllConnections();
    await new Promise((ended) => server.close(ended));
  }
}

/** Where the application looks for a server of models, by its name. */
export function addressOf(name: string, places: string | undefined): string {
  const found = places?.split(' ').find((place) => place.startsWith(`${name.replaceAll(' ', '_')}=`));
  return found?.slice(found.indexOf('=') + 1) ?? 'http://127.0.0.1:1/v1';
}
