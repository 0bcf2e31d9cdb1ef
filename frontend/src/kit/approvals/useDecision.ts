import { useMutation } from '@tanstack/react-query';
import { useClient } from '../../asking/BusProvider';
import type { ApprovalCard, DecisionRequest } from '../../door/approval';
import type { BusError } from '../../door/error';

type Answer = Omit<DecisionRequest, 'approval_id'>;

/** Answers one card. The card goes when the application says that it is closed. */
export function useDecision({ approval_id }: ApprovalCard) {
  const client = useClient();
  return useMutation<unknown, BusError, Answer>({ mutationFn: (answer) => client.decide({ approval_id, ...answer }) });
}

/** What answering a card needs. */
export type Decision = ReturnType<typeof useDecision>;
