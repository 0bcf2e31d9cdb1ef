import { describe, expect, it } from 'vitest';
import { newId } from './ids';

describe('newId', () => {
  it('is a UUID of version 7', () =>
    expect(newId()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/));
  it('begins with the moment', () =>
    // The example of RFC 9562, appendix A.6.
    expect(newId(0x017f22e279b0).slice(0, 13)).toBe('017f22e2-79b0'));
  it('sorts as it was made', () => {
    const ids = [0, 1, 2 ** 32 - 1, 2 ** 32, Date.now()].map((now) => newId(now));
    expect([...ids].sort()).toEqual(ids);
  });
  it('is never the same twice', () => expect(newId(1)).not.toBe(newId(1)));
});
