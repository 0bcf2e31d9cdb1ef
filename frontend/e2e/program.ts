import { execFileSync, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { test } from '@playwright/test';
import { OWNER } from './desk';

const program = process.env.DESKHAND_PROGRAM ?? '';
const folder = () => `${process.env.DESKHAND_SHOPS}${test.info().parallelIndex + 1}`;

/** Runs a command of the owner on the shop of this worker, beside its window. */
export function command(...args: string[]): void {
  const input = `${OWNER.pin}\n`; // it is asked for once the owner has one
  execFileSync(program, ['--data', folder(), '--pin-fd', '0', ...args], { stdio: 'pipe', input });
}

interface Reply {
  id?: number;
  result?: Record<string, unknown>;
}

/** The program of somebody else's assistant, with its tools served by a command on the shop of this worker. */
export class Client {
  readonly #child;
  readonly #waiting = new Map<number, (result: Record<string, unknown>) => void>();
  #asked = 0;

  /** `options` are those of the command. */
  constructor(name: string, ...options: string[]) {
    const args = ['--data', folder(), 'mcp', '--client', name, ...options];
    this.#child = spawn(program, args, { stdio: ['pipe', 'pipe', 'ignore'] });
    createInterface({ input: this.#child.stdout }).on('line', (line) => {
      const { id, result } = JSON.parse(line) as Reply;
      if (id !== undefined) this.#waiting.get(id)?.(result ?? {});
    });
  }

  async open(): Promise<void> {
    const clientInfo = { name: 'flow', version: '1' };
    await this.#ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
    this.#send({ method: 'notifications/initialized' });
  }

  call(name: string, args: object): Promise<Record<string, unknown>> {
    return this.#ask('tools/call', { name, arguments: args });
  }

  read(uri: string): Promise<Record<string, unknown>> {
    return this.#ask('resources/read', { uri });
  }

  end(): void {
    this.#child.stdin.end();
  }

  #ask(method: string, params: object): Promise<Record<string, unknown>> {
    this.#asked += 1;
    const id = this.#asked;
    this.#send({ id, method, params });
    return new Promise((resolve) => this.#waiting.set(id, resolve));
  }

  #send(message: object): void {
    this.#child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }
}
