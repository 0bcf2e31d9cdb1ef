import type { ManifestEntry } from '../../bridge/manifest';
import type { JsonObject } from '../../bridge/wire';
import { listInput } from '../palette/listInput';

/** The input of a list without the fields that are asked for elsewhere. */
export function without(entry: ManifestEntry, elsewhere: readonly string[]): JsonObject {
  const input = listInput(entry, true);
  const kept = Object.entries((input?.properties ?? {}) as JsonObject).filter(([name]) => !elsewhere.includes(name));
  return { ...input, properties: Object.fromEntries(kept) };
}
