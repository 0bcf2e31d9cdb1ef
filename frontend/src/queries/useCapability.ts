import { useQuery } from '@tanstack/react-query';
import type { QueryName, Request, Response } from '../bridge/capabilities';
import type { BusError } from '../bridge/error';
import { answerKey, editionKey, useClient } from './BusProvider';
import { useMayAsk } from './frozen';
import { useRefreshInterval } from './useManifest';

interface ReadOptions {
  source: string;
  enabled?: boolean;
}

interface AnswerOptions extends ReadOptions {
  /** Names the state that the answer belongs to: the answer is read again when this changes, and by no event. */
  edition?: string;
}

/** The answer of a reading capability, kept until an event makes it stale; a status is asked for as often as it says. */
export function useCapability<N extends QueryName>(name: N, args: Request<N>, options: AnswerOptions) {
  const client = useClient();
  const { edition, source } = options;
  const seconds = useRefreshInterval(name);
  return useQuery<Response<N>, BusError>({
    queryKey: edition === undefined ? answerKey(name, args) : editionKey(edition, name, args),
    queryFn: async () => (await client.invoke(name, args, { source })).data,
    enabled: useMayAsk(options.enabled),
    refetchInterval: seconds ? seconds * 1000 : false,
    placeholderData: (previous) => previous,
  });
}
