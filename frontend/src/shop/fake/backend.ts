import type { ApprovalEvent, DecisionRequest } from '../../bridge/approval';
import type { Backend, Stream } from '../../bridge/backend';
import type { ChatUpdate } from '../../bridge/chat';
import type { BusEvent, Failure, JsonObject, Success } from '../../bridge/wire';
import type { AuditRecord, FakeApplication, FakeInvocation } from './application';
import { FakeAssistant } from './assistant';
import { entityNames, type FakeCapability, object, Refusal } from './bus';
import { entities, shopCapabilities } from './catalog';
import { FakeShop } from './shop';

/** An application in memory, for tests of the page without the real one behind it. */
export class FakeBackend implements Backend, FakeApplication {
  readonly shop = new FakeShop();
  readonly records: AuditRecord[] = [];
  readonly #listeners = new Map<Stream, Set<(payload: string) => void>>();
  readonly #decisions = new Map<string, (decision: DecisionRequest) => void>();
  /** The cards that wait for an answer. */
  cards: ApprovalEvent['card'][] = [];
  readonly #capabilities: FakeCapability[];
  readonly #assistant = new FakeAssistant(this);
  #theme = 'light';
  lockedFor: string | undefined;
  #ids = 0;

  constructor() {
    this.#capabilities = [...shopCapabilities(this.shop), ...this.#window(), ...this.#journal()];
    this.#capabilities.push(entityNames(entities, this.#capabilities));
    this.#capabilities.sort((a, b) => a.name.localeCompare(b.name));
  }

  knows(name: string): boolean {
    return this.#capabilities.some((one) => one.name === name);
  }

  /** Adds a capability. */
  offer(capability: FakeCapability): void {
    this.#capabilities.push(capability);
  }

  /** Puts other answers in the place of a capability's own. */
  replace(name: string, run: FakeCapability['run']): void {
    const there = this.#capabilities.findIndex((one) => one.name === name);
    const one = { ...{ name, title: name, side_effect: 'ui-only' as const }, ...this.#capabilities[there], run };
    if (there < 0) this.#capabilities.push(one);
    else this.#capabilities[there] = one;
  }

  /** How many invocations came through the door. */
  asked = 0;

  async invoke(json: string): Promise<string> {
    this.asked += 1;
    return JSON.stringify(this.run(JSON.parse(json)));
  }

  /** Runs an invocation and records it. */
  run(invocation: FakeInvocation): Success<object> | Failure {
    const events: BusEvent[] = [];
    const { capability, request_id, caller } = invocation;
    const args = invocation.arguments as JsonObject;
    const changed = (domain: string, ...ids: string[]) => events.push({ type: 'stateChange', domain, ids });
    let result: Success<object> | Failure;
    try {
      const known = this.#capabilities.find(({ name }) => name === capability);
      if (!known) throw new Refusal('NOT_FOUND', `There is no capability ${capability}.`);
      const data = known.run({ args, caller, requestId: request_id, changed });
      const timestamp = Date.now();
      result = { status: 'success', request_id, data, execution_time_ms: 1, replayed: false, timestamp };
    } catch (thrown) {
      if (!(thrown instanceof Refusal)) throw thrown;
      const { code, message, hint, violations } = thrown;
      result = { status: 'error', request_id, code, message, recovery_hint: hint, violations, retryable: false };
    }
    this.record(invocation, result);
    events.push({ type: 'invocation', capability, caller, status: result.status });
    for (const event of events) this.emit('bus', event);
    return result;
  }

  record(invocation: FakeInvocation, result: Success<object> | Failure, more?: Partial<AuditRecord>): void {
    const { request_id, capability, caller, sentence } = invocation;
    if (caller.type === 'ui' && /\.(get|search|trace|verify|names)/.test(capability)) return;
    this.records.unshift({
      ...{ seq: this.records.length + 1, time: Date.now(), kind: 'invocation', request_id, capability },
      trace_id: request_id,
      caller: { ...caller, person: 'owner', role: 'owner' },
      arguments: invocation.arguments as JsonObject,
      triggering_message: sentence,
      ...(result.status === 'error' ? { code: result.code, message: result.message } : { data: result.data }),
      ...{ status: result.status, duration_ms: 1, prev: '', hash: '' },
      ...more,
    });
  }

  async manifest(json: string): Promise<string> {
    if (JSON.parse(json).cards) return JSON.stringify({ cards: this.cards });
    const capabilities = this.#capabilities.map(({ run: _, unavailable, current, ...entry }) => ({
      ...{ description: `${entry.title}.`, input_schema: object({}), ...entry },
      sources: Object.fromEntries(entities.map(({ type, sources }) => [type, sources[0]])),
      ...{ current: current?.(), available: !unavailable?.(), unavailable_reason: unavailable?.() },
    }));
    if (JSON.parse(json).states) {
      const states = capabilities.map(({ name, available, unavailable_reason, current }) => {
        return { name, available, unavailable_reason, current };
      });
      return JSON.stringify({ capabilities: states });
    }
    return JSON.stringify({
      schema_version: '0.2.0',
      application: { name: 'Deskhand', version: '0' },
      capabilities,
      entities,
    });
  }

  async cancel() {
    return '{}';
  }
  async pickFile() {
    return JSON.stringify({ file: 'file_1', name: 'products.csv', size: 100 });
  }
  async dropFile(json: string) {
    return JSON.stringify({ file: 'file_2', name: JSON.parse(json).name, size: 100, kind: 'products' });
  }
  async send(json: string) {
    return JSON.stringify(this.#assistant.hear(JSON.parse(json)));
  }
  async stop(_json: string) {
    return '{}';
  }

  async decide(json: string): Promise<string> {
    const decision: DecisionRequest = JSON.parse(json);
    const waiting = this.#decisions.get(decision.approval_id);
    if (!waiting) return JSON.stringify({ error: { code: 'NOT_FOUND', message: 'There is no such question.' } });
    this.#decisions.delete(decision.approval_id);
    waiting(decision);
    return '{"ok":true}';
  }

  /** Shows a card and waits for the answer. */
  ask(card: ApprovalEvent['card']): Promise<DecisionRequest> {
    return new Promise((resolve) => {
      this.#decisions.set(card.approval_id, (decision) => {
        this.emit('approval', { type: 'closed', card, answer: decision.answer });
        resolve(decision);
      });
      this.emit('approval', { type: 'opened', card });
    });
  }

  on(stream: Stream, listener: (payload: string) => void): () => void {
    const listeners = this.#listeners.get(stream) ?? new Set();
    this.#listeners.set(stream, listeners.add(listener));
    return () => listeners.delete(listener);
  }

  emit(stream: Stream, event: BusEvent | ChatUpdate | ApprovalEvent): void {
    if ('card' in event) this.#hold(event);
    const payload = JSON.stringify(event);
    for (const listener of this.#listeners.get(stream) ?? []) listener(payload);
  }

  /** Keeps the cards that are open; a new one ends the one before of the same request. */
  #hold({ type, card }: ApprovalEvent): void {
    const others = this.cards.filter(
      (one) => one.approval_id !== card.approval_id && (type === 'closed' || one.request_id !== card.request_id),
    );
    this.cards = type === 'opened' ? [...others, card] : others;
  }

  newId(prefix: string): string {
    this.#ids += 1;
    return `${prefix}_${this.#ids}`;
  }

  #window(): FakeCapability[] {
    const set = (theme: string, changed: (domain: string, ...ids: string[]) => void) => {
      this.#theme = theme;
      changed('theme', theme);
      return { theme };
    };
    const text = { type: 'string' };
    const pages = {
      type: 'string',
      enum: ['counter', 'orders', 'customers', 'catalog', 'reports', 'audit', 'settings'],
    };
    return [
      {
        ...{ name: 'navigation.go', title: 'Open a page', side_effect: 'ui-only' },
        input_schema: object({ page: pages, id: text }, 'page'),
        run: ({ args, changed }) => {
          changed('navigation', ...[args.page, args.id].filter((part) => typeof part === 'string'));
          return args;
        },
      },
      {
        ...{ name: 'theme.set', title: 'Choose the theme', side_effect: 'ui-only', current: () => this.#theme },
        input_schema: object({ theme: { type: 'string', enum: ['light', 'dark', 'system', 'contrast'] } }, 'theme'),
        run: ({ args, changed }) => set(String(args.theme), changed),
      },
      {
        ...{ name: 'theme.toggle', title: 'Switch light and dark', side_effect: 'ui-only' },
        run: ({ changed }) => set(this.#theme === 'dark' ? 'light' : 'dark', changed),
      },
      {
        ...{ name: 'session.get', title: 'Who is signed in', side_effect: 'pure' },
        run: () => ({
          staff: { id: 'owner', name: 'Mara Lindqvist', role: 'owner', scopes: ['*'] },
          locked: this.lockedFor !== undefined,
          lockedFor: this.lockedFor,
          people: [{ id: 'owner', name: 'Mara Lindqvist', needsPin: true }],
        }),
      },
      {
        ...{ name: 'settings.get', title: 'Show the settings', side_effect: 'pure' },
        run: () => ({ shop: { name: this.shop.name, currency: 'USD', timeZone: 'UTC' } }),
      },
    ];
  }

  #journal(): FakeCapability[] {
    const provides = ['audit'];
    return [
      {
        ...{ name: 'audit.search', title: 'Search the audit log', side_effect: 'pure', provides },
        run: ({ args }) => {
          const fits = (r: AuditRecord) =>
            (!args.callerType || r.caller.type === args.callerType) &&
            !(Array.isArray(args.without) && args.without.includes(r.capability?.replace(/\..*/, '') ?? '')) &&
            (!args.subject || JSON.stringify([r.arguments, r.facts]).includes(String(args.subject))) &&
            (!args.capability || r.capability === args.capability);
          return { records: this.records.filter(fits), hasMore: false };
        },
      },
      {
        ...{ name: 'audit.trace', title: 'Trace a request', side_effect: 'pure', provides },
        run: ({ args }) => {
          const asked = this.records.find(({ request_id }) => request_id === args.requestId);
          if (!asked) throw new Refusal('NOT_FOUND', `There is no request ${args.requestId} in the log.`);
          const together = (r: AuditRecord) =>
            r === asked || (r.trace_id !== undefined && r.trace_id === asked.trace_id);
          return { request_id: args.requestId, records: this.records.filter(together).reverse() };
        },
      },
      {
        ...{ name: 'audit.verify', title: 'Verify the audit log', side_effect: 'pure', provides },
        run: () => ({ ok: true, records: this.records.length, head: '', reads: 0 }),
      },
    ];
  }
}
