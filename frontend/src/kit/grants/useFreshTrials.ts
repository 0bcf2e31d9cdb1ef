import { useQueryClient } from '@tanstack/react-query';
import { answerKey, readAgain } from '../../queries/BusProvider';
import { useBusEvent } from '../../queries/useBusEvent';

/** The capabilities whose answers are made of the calls of assistants. */
const trials = ['policy.tryOut', 'grant.suggest'] as const;

/** Has what was tried on the log read again after each call of an assistant, once its record is there. */
export function useFreshTrials(): void {
  const queries = useQueryClient();
  useBusEvent('invocation', ({ caller }) => {
    if (caller?.type !== 'agent') return;
    for (const name of trials) readAgain(queries, { queryKey: answerKey(name, {}).slice(0, 2) });
  });
}
