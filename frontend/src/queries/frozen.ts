import { createContext, useContext } from 'react';

/** Whether what is below keeps the answers it has and asks for none: the window is locked, and would be refused. */
export const Frozen = createContext(false);

/** Whether an answer may be asked for here and now. */
export function useMayAsk(enabled = true): boolean {
  return !useContext(Frozen) && enabled;
}
