import type { Json } from './wire';

/** Names by id, as results have told them. */
export type Names = Readonly<Record<string, string>>;

/** Adds the names of all things in a result that have an id and a name. */
export function addNames(names: Names, result: Json | undefined): Names {
  const found: Record<string, string> = {};
  collect(result, found);
  return Object.keys(found).length === 0 ? names : { ...names, ...found };
}

function collect(value: Json | undefined, found: Record<string, string>): void {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (const item of value) collect(item, found);
    return;
  }
  const { id, name, title, label, text } = value;
  const words = [name, title, text && label ? `${label}: ${text}` : undefined, label, text];
  const called = words.find((word) => typeof word === 'string' && word !== '');
  if (typeof id === 'string' && typeof called === 'string') found[id] = called;
  const { productId, variantId, paymentMethodId } = value;
  if (typeof productId === 'string' && typeof name === 'string') found[productId] = name;
  if (typeof variantId === 'string' && typeof name === 'string') found[variantId] = label ? `${name}, ${label}` : name;
  if (typeof paymentMethodId === 'string' && typeof label === 'string') found[paymentMethodId] = label;
  for (const part of Object.values(value)) collect(part, found);
}

/** Replaces the ids of known things by their names, at every depth. */
export function withNames(value: Json | undefined, names: Names): Json | undefined {
  if (typeof value === 'string') return names[value] ?? value;
  if (Array.isArray(value)) return value.map((item) => withNames(item, names) ?? null);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, withNames(part, names)]));
}
