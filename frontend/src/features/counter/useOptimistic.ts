import { useState } from 'react';

/** A value of the application, and the one that was just chosen in its place. */
export interface Optimistic<T> {
  value: T;
  /** Whether the application has not shown the chosen one yet. */
  isChosen: boolean;
  show: (chosen: T | undefined) => void;
}

/** Shows a choice in the place of a value of the application, until the application has another value. */
export function useOptimistic<T>(known: T): Optimistic<T> {
  const [chosen, setChosen] = useState<{ value: T; over: T }>();
  if (chosen && chosen.over !== known) setChosen(undefined); // also when the first value comes back
  const isChosen = chosen !== undefined && chosen.over === known && chosen.value !== known;
  return {
    ...{ value: isChosen ? chosen.value : known, isChosen },
    show: (next) => setChosen(next === undefined ? undefined : { value: next, over: known }),
  };
}
