import { useSyncExternalStore } from 'react';
import { useClient } from './BusProvider';
import { type Link, linkNow, onLink } from './link';

/** The state of the link now; another object each time it came or went. */
export function useLink(): Link {
  const client = useClient();
  return useSyncExternalStore(onLink, () => linkNow(client));
}
