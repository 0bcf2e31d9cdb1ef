import { useState } from 'react';
import type { ManifestEntry } from '../../bridge/manifest';
import { hasSecrets } from '../../bridge/schema';
import type { JsonObject } from '../../bridge/wire';
import { useIdempotencyKeys } from '../../queries/useInvoke';
import { useLasting } from '../../ui/window/useKept';

/**
 * The values typed in the form of a capability, and the keys of its calls. They outlive
 * the page, except where there may be a secret.
 */
export function useValues({ name, input_schema }: Pick<ManifestEntry, 'name' | 'input_schema'>) {
  const draft = hasSecrets(input_schema) ? undefined : `form ${name}`;
  const lasting = useLasting<JsonObject>(draft ?? 'form', {});
  const passing = useState<JsonObject>({});
  const [values, setValues] = draft ? lasting : passing;
  return { values, setValues, keys: useIdempotencyKeys(draft) };
}
