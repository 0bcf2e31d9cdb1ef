import { i18n } from '../language/i18n';
import type { AgentContext } from '../ui/window/useAgentContext';
import { type ApprovalCard, type ApprovalEvent, byOwnClock, type DecisionRequest } from './approval';
import type { Backend, Stream } from './backend';
import type { CapabilityName, Request, Response } from './capabilities';
import type { Autonomy, ChatUpdate, SentTurn } from './chat';
import { bytesOf } from './droppedFile';
import { asBusError, BusError } from './error';
import { newId } from './ids';
import { type Manifest, type State, withStates } from './manifest';
import { inLanguage } from './texts';
import { type Sentences, translateAnswer, translateEvent, translateManifest, translateState } from './translateAnswers';
import type { BusEvent, Failure, Invocation, Success } from './wire';

/** Options of an invocation: the component that asks, and the request it belongs to. */
export interface InvokeOptions {
  source: string;
  requestId?: string;
  idempotencyKey?: string;
  dryRun?: boolean;
  parentRequestId?: string;
}

interface Events {
  bus: BusEvent;
  chat: ChatUpdate;
  approval: ApprovalEvent;
}

/** A file the person picked, as a token: the page never sees a path. */
export interface PickedFile {
  file?: string;
  name?: string;
  size?: number;
}

/** A file that was dropped onto the window: kept as it was then, under a token like any other. */
export interface DroppedFile {
  file: string;
  name: string;
  /** The kind of file, as the application tells it; undefined where it cannot. */
  kind?: string;
}

/** The one door from the page to the application. */
export class Client {
  readonly #backend: Backend;
  readonly #sentences: Sentences | undefined;
  #files: Readonly<Record<string, string>> = {};
  #manifest: Manifest | undefined;

  /** The sentences are those in the answers of the application's own capabilities. */
  constructor(backend: Backend, sentences?: Sentences) {
    this.#backend = backend;
    this.#sentences = sentences;
  }

  /** Runs a capability; rejects with a BusError when it is refused or fails. */
  invoke<N extends CapabilityName>(name: N, args: Request<N>, options: InvokeOptions): Promise<Success<Response<N>>> {
    return this.invokeByName<Response<N>>(name, args, options);
  }

  /** Runs a capability known only by name, such as one chosen from the manifest. */
  async invokeByName<T = unknown>(name: string, args: object, options: InvokeOptions): Promise<Success<T>> {
    const invocation: Invocation = {
      capability: name,
      arguments: args,
      request_id: options.requestId ?? newId(),
      idempotency_key: options.idempotencyKey,
      dry_run: options.dryRun,
      caller: { type: 'ui', source: options.source, parent_request_id: options.parentRequestId },
    };
    const result = await call<Success<T> | Failure>(this.#backend, 'invoke', invocation);
    if (result.status === 'error') throw new BusError(result);
    return inLanguage({ ...result, data: translateAnswer(name, result.data, this.#sentences) });
  }

  cancel(requestId: string): Promise<unknown> {
    return call(this.#backend, 'cancel', { request_id: requestId });
  }

  /** The capabilities and their states now. Asks for the whole manifest once, then for states only. */
  async manifest(): Promise<Manifest> {
    const held = this.#manifest;
    let now: Manifest | undefined; // of two that ask at once each gets its own answer
    if (held) {
      const { capabilities } = await call<{ capabilities: State[] }>(this.#backend, 'manifest', { states: true });
      now = withStates(held, capabilities.map(translateState));
    }
    now ??= translateManifest(await call(this.#backend, 'manifest', held ? {} : { loading: true }));
    this.#manifest = now;
    return now;
  }

  /** The approval cards that wait for the person at the desk, oldest first. */
  async cards(): Promise<ApprovalCard[]> {
    const { cards = [] } = await call<{ cards?: ApprovalCard[] }>(this.#backend, 'manifest', { cards: true });
    return cards.map(byOwnClock);
  }

  /** The names of the likely next capabilities, the likeliest first. */
  async next(): Promise<string[]> {
    const { next_actions } = await call<{ next_actions?: string[] }>(this.#backend, 'manifest', { next: true });
    return next_actions ?? [];
  }

  /** Sends a sentence to the assistant, with what is open; its work follows as chat updates. */
  send(
    text: string,
    conversationId?: string,
    pages: readonly AgentContext[] = [],
    autonomy?: Autonomy,
  ): Promise<SentTurn> {
    return call(this.#backend, 'send', { conversation_id: conversationId, text, pages, autonomy });
  }

  stop(conversationId: string): Promise<unknown> {
    return call(this.#backend, 'stop', { conversation_id: conversationId });
  }

  decide(decision: DecisionRequest): Promise<unknown> {
    return call(this.#backend, 'decide', decision);
  }

  /** Lets a person choose a file; its name is remembered, since what is shown of it later is the token alone. */
  async pickFile(kind: string): Promise<PickedFile> {
    const picked = await call<PickedFile>(this.#backend, 'pickFile', { kind });
    this.#remember(picked);
    return picked;
  }

  /** Hands over what was dropped onto the window: its bytes as they are, since a text would not keep them all. */
  async dropFile(file: File): Promise<DroppedFile> {
    const content = await bytesOf(file);
    const { kind, ...dropped } = await call<DroppedFile>(this.#backend, 'dropFile', { name: file.name, content });
    this.#remember(dropped);
    return { ...dropped, kind: kind || undefined };
  }

  #remember({ file, name }: PickedFile): void {
    if (file && name) this.#files = { ...this.#files, [file]: name };
  }

  /** The names of the files that were chosen here, by their tokens. */
  get fileNames(): Readonly<Record<string, string>> {
    return this.#files;
  }

  /** Listens to a stream of events until the answer is called. */
  on<S extends Stream>(stream: S, listener: (event: Events[S]) => void): () => void {
    return this.#backend.on(stream, (payload) => listener(translateEvent(stream, JSON.parse(payload)) as Events[S]));
  }
}

/** One call to the application. An answer of the form {"error": …} is thrown too. */
async function call<T>(backend: Backend, method: Exclude<keyof Backend, 'on'>, request: object): Promise<T> {
  let answer: T & { error?: Partial<Failure> };
  try {
    answer = JSON.parse(await backend[method](JSON.stringify(request)));
  } catch (thrown) {
    throw asBusError(thrown);
  }
  if (answer?.error && typeof answer.error === 'object') {
    throw new BusError({
      code: 'INTERNAL',
      message: i18n._('The application refused.'),
      retryable: false,
      ...answer.error,
    });
  }
  return answer;
}
