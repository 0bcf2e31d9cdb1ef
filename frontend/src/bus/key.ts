import type { BusError } from './error';
import { newId } from './id';

/**
 * Idempotency keys for one surface. A key stands for one intention of the
 * person: asking again for the same after a failure that may pass reuses the
 * key, so that what went through unnoticed does not happen twice.
 */
export class IntentionKeys {
  #open: { args: string; key: string } | undefined;

  /** The key for these arguments. */
  keyFor(args: object): string {
    const text = JSON.stringify(args);
    if (this.#open?.args !== text) this.#open = { args: text, key: newId() };
    return this.#open.key;
  }

  /** Tells how it ended; only a failure that may pass keeps the intention open. */
  ended(error?: BusError): void {
    if (!error || !(error.retryable || error.reason === 'connection')) this.#open = undefined;
  }
}
