// @vitest-environment jsdom
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { forgetKept } from '../ui/window/useKept';
import { BusError } from './error';
import { IdempotencyKeys } from './idempotency';

const failed = (retryable: boolean, reason?: string) =>
  new BusError({ code: retryable ? 'TRANSIENT' : 'PRECONDITION_FAILED', reason, message: '', retryable });

describe('IdempotencyKeys', () => {
  it.each([
    ['succeeded', undefined, false],
    ['was refused', failed(false), false],
    ['may pass', failed(true), true],
    ['ended nobody knows how', failed(false, 'connection'), true],
  ])('after a try that %s', (_, error, kept) => {
    const keys = new IdempotencyKeys();
    const first = keys.keyFor({ a: 1 });
    keys.ended(error);
    expect(keys.keyFor({ a: 1 }) === first).toBe(kept);
  });
  it('is kept by a call that is on its way when the surface is hidden', async () => {
    const keys = new IdempotencyKeys();
    let fail = () => {};
    const call = keys.call({ a: 1 }, (key) => new Promise<string>((_, no) => (fail = () => no(new Error(key)))));
    keys.left();
    fail();
    const first = await call.catch((error: Error) => error.message);
    keys.ended(failed(true));
    expect(keys.keyFor({ a: 1 })).toBe(first);
    keys.left();
    expect(keys.keyFor({ a: 1 }), 'nothing is on its way').not.toBe(first);
  });
  it('is another one for other arguments', () => {
    const keys = new IdempotencyKeys();
    expect(keys.keyFor({ a: 1 })).not.toBe(keys.keyFor({ a: 2 }));
  });
});

describe('the key of a call beside a draft', () => {
  const mismatch = new BusError({
    ...{ code: 'VALIDATION', reason: 'idempotency_mismatch', message: '', retryable: false },
  });
  /** The answer of an application that has seen this key with other arguments. */
  const used = (key: string, asked: string[]) => async (now: string) => {
    asked.push(now);
    if (now === key) throw mismatch;
    return 'done';
  };
  beforeEach(() => sessionStorage.clear());

  it('is there though there is no room to store it', () => {
    const full = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('There is no room.', 'QuotaExceededError');
    });
    const keys = new IdempotencyKeys('sale');
    const key = keys.keyFor({ total: 5 });
    expect(keys.keyFor({ total: 5 })).toBe(key);
    keys.forget();
    expect(keys.keyFor({ total: 5 })).not.toBe(key);
    full.mockRestore();
  });
  it('is the same when the page is loaded anew', () => {
    const key = new IdempotencyKeys('note').keyFor({ text: 'a' });
    expect(new IdempotencyKeys('note').keyFor({ text: 'a' })).toBe(key);
    expect(new IdempotencyKeys('note').keyFor({ text: 'a' }), 'and once more').toBe(key);
    expect(new IdempotencyKeys('other').keyFor({ text: 'a' })).not.toBe(key);
  });
  it('is another one once it was answered', () => {
    const keys = new IdempotencyKeys('note');
    const key = keys.keyFor({ text: 'a' });
    keys.ended();
    expect(new IdempotencyKeys('note').keyFor({ text: 'a' })).not.toBe(key);
    expect(sessionStorage).toHaveLength(1);
  });
  it('is kept without its arguments', () => {
    new IdempotencyKeys('card').keyFor({ lastFour: '4711' });
    expect(JSON.stringify({ ...sessionStorage })).not.toContain('4711');
  });
  it('is left for another one if the application knows it with other arguments', async () => {
    const asked: string[] = [];
    const key = new IdempotencyKeys('note').keyFor({ text: 'a' });
    const keys = new IdempotencyKeys('note');
    expect(await keys.call({ text: 'b' }, used(key, asked))).toBe('done');
    expect(asked).toEqual([key, keys.keyFor({ text: 'b' })]);
  });
  it('is not left where it was made for these arguments', async () => {
    const asked: string[] = [];
    const keys = new IdempotencyKeys('note');
    const key = keys.keyFor({ text: 'a' });
    await expect(keys.call({ text: 'a' }, used(key, asked))).rejects.toBe(mismatch);
    expect(asked).toEqual([key]);
  });
  it('is nobody else’s', () => {
    new IdempotencyKeys('note').keyFor({ text: 'a' });
    forgetKept();
    expect(sessionStorage).toHaveLength(0);
  });
});
