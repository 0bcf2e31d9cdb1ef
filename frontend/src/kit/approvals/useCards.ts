import { useQuery } from '@tanstack/react-query';
import type { ApprovalCard } from '../../bridge/approval';
import { CARDS_KEY, useClient } from '../../queries/BusProvider';
import { useMayAsk } from '../../queries/frozen';

const none: readonly ApprovalCard[] = [];

/** The open cards that the person at the desk may answer, oldest first; read again when one opens or closes. */
export function useCards(): readonly ApprovalCard[] {
  const client = useClient();
  const enabled = useMayAsk();
  const { data } = useQuery({ queryKey: CARDS_KEY, queryFn: () => client.cards(), enabled });
  return data ?? none;
}

/** The requests that wait for the answer of the person at the desk. */
export function useAsked(): readonly string[] {
  return useCards().map(({ request_id }) => request_id);
}
