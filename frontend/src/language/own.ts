/**
 * Returns the value that an object itself has under a key. Every key that comes from data is read so: a plain object
 * also answers to "constructor" and "__proto__", which it inherits.
 */
export function own<T>(object: Readonly<Record<string, T>> | undefined, key: string | undefined): T | undefined {
  return object && key !== undefined && Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Gives an object itself a value under a key from data. An assignment to "__proto__" would change its prototype. */
export function putOwn(object: object, key: string, value: unknown): void {
  Object.defineProperty(object, key, { value, configurable: true, enumerable: true, writable: true });
}
