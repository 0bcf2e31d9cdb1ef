import type { ManifestEntry } from '../../bridge/manifest';
import { namesOf } from '../../bridge/schema';
import type { JsonObject } from '../../bridge/wire';
import { own } from '../../language/own';

/**
 * The input of a list as people fill it in: what it requires, the words to search for, its order, and where wanted what
 * else narrows it. Pages go by themselves.
 */
export function listInput({ input_schema }: ManifestEntry, narrow: boolean): JsonObject | undefined {
  const { properties = {}, required = [] } = (input_schema ?? {}) as { properties?: JsonObject; required?: string[] };
  const first = [...required, 'query', 'text', 'sort'].filter((name) => Object.hasOwn(properties, name));
  const more = namesOf(input_schema).filter((name) => !first.includes(name) && name !== 'cursor' && name !== 'limit');
  const shown = narrow ? [...first, ...more] : first;
  return { ...input_schema, properties: Object.fromEntries(shown.map((name) => [name, own(properties, name) ?? {}])) };
}
