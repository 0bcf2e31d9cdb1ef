import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { answerKey, readAgain, useClient } from '../../queries/BusProvider';
import { useCapability } from '../../queries/useCapability';
import { useSession } from '../../shop/session';
import { idleWatch } from './idle';

const source = { source: 'IdleLock' };

/** Locks the window after the idle time of the settings. A person without a PIN is not locked out. */
export function useIdleLock(): void {
  const client = useClient();
  const queries = useQueryClient();
  const session = useSession();
  const here = session?.people.find(({ id }) => id === session.staff?.id);
  const { data } = useCapability(
    'settings.get',
    { section: 'security' },
    { ...source, enabled: here?.needsPin ?? false },
  );
  const minutes = here?.needsPin ? (data?.security?.lockAfterMinutes ?? 0) : 0;
  useEffect(() => {
    if (minutes === 0) return;
    const ignoringErrors = (name: 'session.stay' | 'session.lock') =>
      client.invoke(name, {}, source).catch(() => undefined);
    return idleWatch(window, minutes * 60_000, {
      stay: () => ignoringErrors('session.stay'),
      // The event of the lock may come before the application holds the seat as locked: the answer comes after.
      lock: () =>
        ignoringErrors('session.lock').then(() => readAgain(queries, { queryKey: answerKey('session.get', {}) })),
    });
  }, [client, queries, minutes]);
}
