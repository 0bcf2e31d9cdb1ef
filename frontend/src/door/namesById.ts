import { own } from '../language/own';
import type { Json } from './wire';

/** Names by id. */
export type Names = Readonly<Record<string, string>>;

/** Replaces the ids of known things by their names, at every depth. */
export function withNames(value: Json | undefined, names: Names): Json | undefined {
  if (typeof value === 'string') return own(names, value) ?? value;
  if (Array.isArray(value)) return value.map((item) => withNames(item, names) ?? null);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, withNames(part, names)]));
}
