import type { ManifestEntry } from '../../bridge/manifest';
import { hasSecrets } from '../../bridge/schema';
import type { JsonObject } from '../../bridge/wire';
import { useIdempotencyKeys } from '../../queries/useInvoke';
import { useForm } from '../../ui/form/useForm';

/**
 * The values typed in the form of a capability over those that it begins with, and the keys of its calls. They outlive
 * a reload of the page, except where there may be a secret.
 */
export function useValues(
  { name, input_schema }: Pick<ManifestEntry, 'name' | 'input_schema'>,
  known: JsonObject = {},
) {
  const key = hasSecrets(input_schema) ? undefined : `form ${name}`;
  const { values, change } = useForm(key, { values: known });
  return { ...values, setValues: (next: JsonObject) => change({ values: next }), keys: useIdempotencyKeys(key) };
}
