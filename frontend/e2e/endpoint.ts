import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the model was asked, as far as a script wants to know. */
export interface Asked {
  messages: { role: string; content: string; tool_call_id?: string }[];
  tools: { function: { name: string } }[];
}

/** The data of what a call answered, by its place among the calls of this turn, from 0. */
export type Looked = (call: number) => Record<string, unknown>;

/** One reply of the model: pieces of text, then calls. */
export interface Reply {
  text?: readonly string[];
  calls?: readonly { name: string; args: object }[];
  /** The pieces before this have been sent; the rest never comes. */
  hangs?: boolean;
  /** What is said after those pieces, once this has come. */
  later?: { when: Promise<void>; text: readonly string[] };
  /** Answers with this status and no reply at all. */
  status?: number;
}

/** A reply, or one that is made from what calls have answered. */
export type Line = Reply | ((looked: Looked, asked: Asked) => Reply);

/** A model on this computer that says what it is told to: an OpenAI-compatible server with a script. */
export class Endpoint {
  readonly asked: Asked[] = [];
  readonly #script: Line[] = [];
  readonly #open = new Set<ServerResponse>();
  readonly #server: Server;
  readonly #models: readonly string[];

  private constructor(models: readonly string[]) {
    this.#models = models;
    this.#server = createServer((request, response) => this.#answer(request, response));
  }

  /** Starts one, on a free port unless one is named, with these models. */
  static async start(port = 0, models: readonly string[] = ['scripted', 'another']): Promise<Endpoint> {
    const endpoint = new Endpoint(models);
    await new Promise<void>((ready) => endpoint.#server.listen(port, '127.0.0.1', ready));
    return endpoint;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`;
  }

  /** Adds to the script. Without a line left the model says that it is done. */
  script(...lines: Line[]): void {
    this.#script.push(...lines);
  }

  /** Ends it; nothing answers there from then on. */
  async stop(): Promise<void> {
    for (const response of this.#open) response.destroy();
    await new Promise((ended) => this.#server.close(ended));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.#open.add(response);
    response.on('close', () => this.#open.delete(response));
    if (request.method === 'GET') {
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify({ data: this.#models.map((id) => ({ id })) }));
      return;
    }
    const asked = JSON.parse(await bodyOf(request)) as Asked;
    if (asked.tools?.[0]?.function.name === 'weather_now') {
      const cities = ['Paris', 'Rome'].map((city) => ({ name: 'weather_now', args: { city } }));
      await stream(response, { text: ['One moment.'], calls: cities });
      return;
    }
    this.asked.push(asked);
    const line = this.#script.shift() ?? { text: ['Done.'] };
    await stream(response, typeof line === 'function' ? line(lookedIn(asked), asked) : line);
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const piece of request) text += piece;
  return text;
}

/** Reads the answers of the calls since the person spoke last. */
function lookedIn({ messages }: Asked): Looked {
  const begin = messages.findLastIndex(({ role }) => role === 'user');
  const results = messages.slice(begin).filter(({ role }) => role === 'tool');
  return (call) => JSON.parse(results[call]?.content ?? '{}').data ?? {};
}

let calls = 0;

async function stream(response: ServerResponse, reply: Reply): Promise<void> {
  const { text = [], calls: made = [], hangs, later, status } = reply;
  if (status) {
    response.statusCode = status;
    response.setHeader('Content-Type', 'application/json');
    response.end('{}');
    return;
  }
  response.setHeader('Content-Type', 'text/event-stream');
  const send = (delta: object, finish_reason: string | null = null) =>
    response.write(`data: ${JSON.stringify({ id: 'x', choices: [{ index: 0, delta, finish_reason }] })}\n\n`);
  for (const content of text) send({ content });
  if (hangs) return;
  await later?.when;
  for (const content of later?.text ?? []) send({ content });
  made.forEach(({ name, args }, index) => {
    calls += 1;
    send({
      tool_calls: [{ index, id: `c${calls}`, type: 'function', function: { name, arguments: JSON.stringify(args) } }],
    });
  });
  send({}, made.length > 0 ? 'tool_calls' : 'stop');
  response.write(
    `data: ${JSON.stringify({ id: 'x', choices: [], usage: { prompt_tokens: 1200, completion_tokens: 34 } })}\n\n`,
  );
  response.end('data: [DONE]\n\n');
}
