import { i18n } from '../language/i18n';
import { failureText, fieldErrorSentence, fieldErrors } from './violations';
import type { Code, Failure, Violation } from './wire';

/** A failed invocation. Decide by `code` and `reason`, never by the words. */
export class BusError extends Error {
  readonly code: Code;
  readonly reason?: string;
  readonly recoveryHint?: string;
  readonly violations: readonly Violation[];
  readonly retryable: boolean;
  readonly requestId?: string;

  constructor(failure: Omit<Failure, 'status' | 'request_id'> & { request_id?: string }) {
    const { message, hint } = failureText(failure);
    super(message);
    this.name = 'BusError';
    this.code = failure.code;
    this.reason = failure.reason;
    this.recoveryHint = failure.code === 'INTERNAL' ? withRequest(hint, failure.request_id) : hint;
    this.violations = failure.violations ?? [];
    this.retryable = failure.retryable;
    this.requestId = failure.request_id;
  }

  /** What does not fit of what was asked, where, and the same in sentences. */
  get fieldErrors() {
    if (this.code !== 'VALIDATION') return []; // what is wrong with an answer is nobody's to correct
    return fieldErrors(this.violations).map((fieldError) => ({
      ...fieldError,
      sentence: fieldErrorSentence(fieldError),
    }));
  }
}

/** Makes any thrown value a BusError: what did not come from the bus is a broken connection to it. */
export function asBusError(thrown: unknown): BusError {
  if (thrown instanceof BusError) return thrown;
  return new BusError({
    code: 'INTERNAL',
    reason: 'connection',
    message: i18n._('The window lost touch with the application.'),
    recovery_hint: i18n._('Close the window and open it again; nothing that was recorded is lost.'),
    retryable: false,
  });
}

/** What broke inside the application is mended by somebody who can find it in the log. */
function withRequest(hint: string | undefined, id: string | undefined): string | undefined {
  return id && hint ? i18n._('{hint} Request {id}.', { hint, id }) : hint;
}
