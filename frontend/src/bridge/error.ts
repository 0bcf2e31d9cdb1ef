import { i18n } from '../language/i18n';
import { inLanguage } from './texts';
import { failureText, fieldErrorSentence, fieldErrors } from './violations';
import type { Choice, Code, Failure, Violation } from './wire';

/** A failed invocation. Decide by `code` and `reason`, never by the words. */
export class BusError extends Error {
  readonly code: Code;
  readonly reason?: string;
  readonly recoveryHint?: string;
  readonly violations: readonly Violation[];
  readonly choices: readonly Choice[];
  readonly retryable: boolean;
  readonly requestId?: string;

  constructor(reported: Omit<Failure, 'status' | 'request_id'> & { request_id?: string }) {
    const failure = inLanguage(reported);
    const { message, hint } = failureText(failure);
    super(message);
    this.name = 'BusError';
    this.code = failure.code;
    this.reason = failure.reason;
    this.recoveryHint = failure.code === 'INTERNAL' ? withRequest(hint, failure.request_id) : hint;
    this.violations = (failure.violations ?? []).map((violation, at) => {
      const sentence = failure.texts?.[`/violations/${at}/message`];
      return sentence ? { ...violation, sentence } : violation;
    });
    this.choices = failure.choices ?? [];
    this.retryable = failure.retryable;
    this.requestId = failure.request_id;
  }

  /** The violations of the arguments, each with its field and a whole sentence. */
  get fieldErrors() {
    if (this.code !== 'VALIDATION') return []; // the person cannot correct an invalid answer
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

/** Names the request of an internal error, so that it can be found in the log. */
function withRequest(hint: string | undefined, id: string | undefined): string | undefined {
  return id && hint ? i18n._('{hint} Request {id}.', { hint, id }) : hint;
}
