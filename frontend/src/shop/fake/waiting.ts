import type { Code, Json, JsonObject } from '../../bridge/wire';
import { FakeBackend } from './backend';

/** A call that waits for its answer. */
interface Asked {
  capability: string;
  arguments: JsonObject;
  key?: string;
  answer: (data: object) => void;
  refuse: (code: Code, message: string, violations?: { path: string; message: string }[]) => void;
  /** Answers as a till does whose link was cut. */
  cut: () => void;
}

/** An application in memory that leaves the answers of some capabilities, and their time, to a test. */
export class WaitingBackend extends FakeBackend {
  readonly #waiting = new Map<string, object | undefined>();
  /** The calls of capabilities that wait, dry runs not among them. */
  readonly asks: Asked[] = [];
  /** The dry runs. */
  readonly previews: Asked[] = [];

  /** Leaves the answers of a capability to the test; its dry runs come to `preview`, or wait too. */
  wait(name: string, input_schema: JsonObject = {}, preview?: object): void {
    if (!this.knows(name)) this.offer({ name, title: name, side_effect: 'ui-only', input_schema, run: () => ({}) });
    this.#waiting.set(name, preview);
  }

  override async invoke(json: string): Promise<string> {
    const { capability, request_id, arguments: args, dry_run, idempotency_key: key } = JSON.parse(json);
    if (!this.#waiting.has(capability)) return super.invoke(json);
    const common = { request_id, timestamp: 0, execution_time_ms: 1, replayed: false };
    const preview = this.#waiting.get(capability);
    if (dry_run && preview) return JSON.stringify({ ...common, status: 'success', data: preview as Json });
    return new Promise((resolve) => {
      const tell = (result: object) => resolve(JSON.stringify({ ...common, ...result }));
      (dry_run ? this.previews : this.asks).push({
        capability,
        arguments: args,
        key,
        cut: () =>
          tell({
            status: 'error',
            code: 'TRANSIENT',
            reason: 'network',
            message: 'It cannot be reached.',
            retryable: true,
          }),
        answer: (data) => tell({ status: 'success', data }),
        refuse: (code, message, violations) => tell({ status: 'error', code, message, violations, retryable: false }),
      });
    });
  }
}
