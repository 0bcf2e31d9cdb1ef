import type { Json } from './wire';

/** Names by id, as results have told them. */
export type Names = Readonly<Record<string, string>>;

/** Fields that hold the id of another thing, and the fields beside them that name it: `{ authorId: ['name'] }`. */
export type References = Readonly<Record<string, readonly string[]>>;

/** Adds the names of all things in a result that have an id and a name, and of those it refers to. */
export function addNames(names: Names, result: Json | undefined, references: References = {}): Names {
  const found: Record<string, string> = {};
  collect(result, references, found);
  return Object.keys(found).length === 0 ? names : { ...names, ...found };
}

function collect(value: Json | undefined, references: References, found: Record<string, string>): void {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (const item of value) collect(item, references, found);
    return;
  }
  const { id, name, title, label, text } = value;
  const words = [name, title, text && label ? `${label}: ${text}` : undefined, label, text];
  const called = words.find((word) => typeof word === 'string' && word !== '');
  if (typeof id === 'string' && typeof called === 'string') found[id] = called;
  for (const [field, beside] of Object.entries(references)) {
    const [about, ...more] = beside.map((one) => value[one]);
    const of = value[field];
    if (typeof of !== 'string' || typeof about !== 'string') continue;
    found[of] = [about, ...more].filter((word) => typeof word === 'string' && word !== '').join(', ');
  }
  for (const part of Object.values(value)) collect(part, references, found);
}

/** Replaces the ids of known things by their names, at every depth. */
export function withNames(value: Json | undefined, names: Names): Json | undefined {
  if (typeof value === 'string') return names[value] ?? value;
  if (Array.isArray(value)) return value.map((item) => withNames(item, names) ?? null);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, withNames(part, names)]));
}
