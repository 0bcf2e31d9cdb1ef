import { useDebouncedValue } from '@mantine/hooks';
import type { Request } from '../../bridge/capabilities';
import { useCapability } from '../../queries/useCapability';
import { useEntry } from '../../queries/useManifest';
import { TrialText } from './TrialText';

interface TriedOutProps {
  of: Request<'policy.tryOut'>;
  source: string;
}

/** What a rule or a grant would have done. Nothing for a person who may not read the log, or while its bounds are none. */
export default function TriedOut({ of, source }: TriedOutProps) {
  const [asked] = useDebouncedValue(of, 300);
  const may = useEntry('policy.tryOut') !== undefined;
  const { data, error } = useCapability('policy.tryOut', asked, { source, enabled: may });
  return data && !error ? <TrialText trial={data} /> : null;
}
