import { describe, expect, it } from 'vitest';
import { own, putOwn } from './own';

const inherited = ['constructor', 'valueOf', 'toString', 'hasOwnProperty', '__proto__'];

describe('own', () => {
  it('returns the value under a key', () => expect(own({ a: 1 }, 'a')).toBe(1));
  it('returns nothing for no object, no key and an unknown key', () =>
    expect([own(undefined, 'a'), own({ a: 1 }, undefined), own({ a: 1 }, 'b')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]));
  it.each(inherited)('returns nothing for the inherited %s, unless the object has its own', (key) => {
    expect(own({}, key)).toBeUndefined();
    expect(own(JSON.parse(`{"${key}": 1}`), key)).toBe(1);
  });
});

describe('putOwn', () => {
  it.each(inherited)('puts a value under %s and changes no prototype', (key) => {
    const object = {};
    putOwn(object, key, 1);
    expect(own(object, key)).toBe(1);
    expect(JSON.stringify(object)).toBe(`{"${key}":1}`);
    expect(Object.getPrototypeOf(object)).toBe(Object.prototype);
  });
});
