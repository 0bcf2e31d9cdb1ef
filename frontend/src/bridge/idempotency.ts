import { store, stored } from '../ui/window/stored';
import { draftName } from '../ui/window/useKept';
import { asBusError, type BusError } from './error';
import { newId } from './ids';

/**
 * Idempotency keys for one surface. A key stands for one intention of the
 * person: asking again for the same after a failure that may pass reuses the
 * key, so that what went through unnoticed does not happen twice. The key of a
 * call that is on its way is kept beside the draft it is made of, if that outlives
 * the page.
 */
export class IdempotencyKeys {
  readonly #kept: string | undefined;
  /** Without arguments: of before the page was loaded. What it was for only the application knows. */
  #open: { args?: string; key: string } | undefined;
  #running = 0;

  constructor(draft?: string) {
    this.#kept = draft && draftName(`key of ${draft}`);
    const key = this.#kept && stored('sessionStorage', this.#kept);
    if (typeof key === 'string') this.#open = { key };
  }

  /** The key for these arguments. */
  keyFor(args: object): string {
    const text = JSON.stringify(args);
    const key = this.#open && (this.#open.args ?? text) === text ? this.#open.key : newId();
    this.#open = { args: text, key };
    if (this.#kept) store('sessionStorage', this.#kept, key);
    return key;
  }

  /** Makes a call with the key for its arguments; a key of before that was for others is left for a new one. */
  async call<T>(args: object, make: (key: string) => Promise<T>): Promise<T> {
    const unsure = this.#open !== undefined && this.#open.args === undefined;
    this.#running += 1;
    try {
      return await make(this.keyFor(args));
    } catch (thrown) {
      if (!unsure || asBusError(thrown).reason !== 'idempotency_mismatch') throw thrown;
      this.forget();
      return await make(this.keyFor(args));
    } finally {
      this.#running -= 1;
    }
  }

  /** Closes the intention, unless the call failed in a way that may pass. */
  ended(error?: BusError): void {
    if (!error || !(error.retryable || error.reason === 'connection')) this.forget();
  }

  /** The surface is not shown any longer: the key of a call that is on its way is kept until the answer. */
  left(): void {
    if (this.#running === 0) this.forget();
  }

  /** Forgets the key. */
  forget(): void {
    this.#open = undefined;
    if (this.#kept) store('sessionStorage', this.#kept, undefined);
  }
}
