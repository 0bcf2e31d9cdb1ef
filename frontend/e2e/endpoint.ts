import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The parts of a request that a script reads. */
export interface Asked {
  messages: { role: string; content: string; tool_call_id?: string }[];
  tools: { function: { name: string } }[];
}

/** The data a call returned, by its index among the calls of this turn, from 0. */
export type Looked = (call: number) => Record<string, unknown>;

/** One reply of the model: pieces of text, then calls. */
export interface Reply {
  text?: readonly string[];
  calls?: readonly { name: string; args: object }[];
  /** Milliseconds between two pieces. */
  pace?: number;
  /** Sends the pieces and leaves the stream open. */
  hangs?: boolean;
  /** Pieces sent after the others, once the promise resolves. */
  later?: { when: Promise<void>; text: readonly string[] };
  /** Answers with this status and no reply at all. */
  status?: number;
}

/** A reply, or a function that makes it from the results of calls. */
export type Line = Reply | ((looked: Looked, asked: Asked) => Reply);

/** A scripted model: an OpenAI-compatible server on this computer. */
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

  /** Starts a server with these models, on a free port unless one is given. */
  static async start(port = 0, models: readonly string[] = ['scripted', 'another']): Promise<Endpoint> {
    const endpoint = new Endpoint(models);
    await new Promise<void>((ready) => endpoint.#server.listen(port, '127.0.0.1', ready));
    return endpoint;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`;
  }

  /** Adds replies to the script. When none is left the model says that it is done. */
  script(...lines: Line[]): void {
    this.#script.push(...lines);
  }

  /** Stops the server. */
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
    const body = await bodyOf(request);
    const asked = JSON.parse(body) as Asked;
    if (asked.tools?.[0]?.function.name === 'weather_now') {
      const cities = ['Paris', 'Rome'].map((city) => ({ name: 'weather_now', args: { city } }));
      await stream(response, { text: ['One moment.'], calls: cities }, Math.ceil(body.length / 4));
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

/** The results of the calls since the person's last message. */
function lookedIn({ messages }: Asked): Looked {
  const begin = messages.findLastIndex(({ role }) => role === 'user');
  const results = messages.slice(begin).filter(({ role }) => role === 'tool');
  return (call) => JSON.parse(results[call]?.content ?? '{}').data ?? {};
}

let calls = 0;

async function stream(response: ServerResponse, reply: Reply, prompt_tokens = 1200): Promise<void> {
  const { text = [], calls: made = [], pace, hangs, later, status } = reply;
  if (status) {
    response.statusCode = status;
    response.setHeader('Content-Type', 'application/json');
    response.end('{}');
    return;
  }
  response.setHeader('Content-Type', 'text/event-stream');
  const send = (delta: object, finish_reason: string | null = null) =>
    response.write(`data: ${JSON.stringify({ id: 'x', choices: [{ index: 0, delta, finish_reason }] })}\n\n`);
  for (const content of text) {
    send({ content });
    if (pace) await new Promise((go) => setTimeout(go, pace));
  }
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
    `data: ${JSON.stringify({ id: 'x', choices: [], usage: { prompt_tokens, completion_tokens: 34 } })}\n\n`,
  );
  response.end('data: [DONE]\n\n');
}
