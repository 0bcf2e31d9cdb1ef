import { useQueryClient } from '@tanstack/react-query';
import { readAgain } from '../../queries/BusProvider';
import { useBusEvent } from '../../queries/useBusEvent';

/** The capabilities whose answers are made of the calls of assistants. */
const trials = ['policy.tryOut', 'grant.suggest'] as const;

/** Tries grants and rules on the log again when an assistant’s call of their capability was recorded. */
export function useFreshTrials(): void {
  const queries = useQueryClient();
  useBusEvent('invocation', ({ caller, capability }) => {
    if (caller?.type !== 'agent') return;
    readAgain(queries, {
      predicate: ({ queryKey: [kind, name, asked] }) =>
        kind === 'capability' && trials.some((one) => one === name) && counts(asked as Tried, capability),
    });
  });
}

/** What a trial is of, as far as it is about one capability. */
interface Tried {
  capability?: string;
  grant?: { capability?: string };
}

const counts = ({ capability, grant }: Tried, called: string) => (grant?.capability ?? capability ?? called) === called;
