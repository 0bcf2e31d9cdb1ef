import { describe, expect, it } from 'vitest';
import { BusError } from './error';
import { IntentionKeys } from './key';

const failed = (retryable: boolean, reason?: string) =>
  new BusError({ code: retryable ? 'TRANSIENT' : 'PRECONDITION_FAILED', reason, message: '', retryable });

describe('IntentionKeys', () => {
  it.each([
    ['succeeded', undefined, false],
    ['was refused', failed(false), false],
    ['may pass', failed(true), true],
    ['ended nobody knows how', failed(false, 'connection'), true],
  ])('after a try that %s', (_, error, kept) => {
    const keys = new IntentionKeys();
    const first = keys.keyFor({ a: 1 });
    keys.ended(error);
    expect(keys.keyFor({ a: 1 }) === first).toBe(kept);
  });
  it('is another one for other arguments', () => {
    const keys = new IntentionKeys();
    expect(keys.keyFor({ a: 1 })).not.toBe(keys.keyFor({ a: 2 }));
  });
});
