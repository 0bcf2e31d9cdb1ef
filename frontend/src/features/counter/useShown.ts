import { useState } from 'react';

/** A value of the application, and the one that was just chosen in its place until the application has another. */
export function useShown<T>(known: T): [T, (chosen: T | undefined) => void] {
  const [chosen, setChosen] = useState<{ value: T; over: T }>();
  const value = chosen && chosen.over === known ? chosen.value : known;
  return [value, (next) => setChosen(next === undefined ? undefined : { value: next, over: known })];
}
