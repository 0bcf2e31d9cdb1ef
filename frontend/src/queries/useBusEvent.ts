import { useEffect, useRef } from 'react';
import type { BusEvent } from '../bridge/wire';
import { useClient } from './BusProvider';

/** Calls the listener on each event of one type; the listener may change between renders. */
export function useBusEvent<T extends BusEvent['type']>(
  type: T,
  listener: (event: Extract<BusEvent, { type: T }>) => void,
): void {
  const client = useClient();
  const latest = useRef(listener);
  useEffect(() => {
    latest.current = listener;
  });
  useEffect(
    () =>
      client.on('bus', (event) => {
        if (event.type === type) latest.current(event as Extract<BusEvent, { type: T }>);
      }),
    [client, type],
  );
}
