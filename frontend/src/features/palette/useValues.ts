import { useState } from 'react';
import { useIntention } from '../../bus/hooks';
import type { ManifestEntry } from '../../bus/manifest';
import { hasSecrets } from '../../bus/schema';
import type { JsonObject } from '../../bus/wire';
import { useLasting } from '../../ui/useKept';

/**
 * What is typed in the form of a capability, and the keys of its calls. It outlives the
 * page, but not where there may be a secret in it.
 */
export function useValues({ name, input_schema }: Pick<ManifestEntry, 'name' | 'input_schema'>) {
  const draft = hasSecrets(input_schema) ? undefined : `form ${name}`;
  const lasting = useLasting<JsonObject>(draft ?? 'form', {});
  const passing = useState<JsonObject>({});
  const [values, setValues] = draft ? lasting : passing;
  return { values, setValues, keys: useIntention(draft) };
}
