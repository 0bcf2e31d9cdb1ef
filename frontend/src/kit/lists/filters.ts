import type { ManifestEntry } from '../../bridge/manifest';
import type { JsonObject } from '../../bridge/wire';
import { withoutFields } from '../form/fields';
import { listInput } from '../palette/listInput';

/** The input of a list without the fields that are asked for elsewhere. */
export function without(entry: ManifestEntry, elsewhere: readonly string[]): JsonObject {
  return withoutFields(listInput(entry, true), elsewhere);
}
