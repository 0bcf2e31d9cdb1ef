import { useCallback, useEffect, useRef, useSyncExternalStore } from 'react';
import type { Request } from '../../bridge/capabilities';
import { asBusError, type BusError } from '../../bridge/error';
import { newId } from '../../bridge/ids';
import { useClient } from '../../queries/BusProvider';
import { isCut } from '../../queries/link';
import { useUnsent } from '../../queries/unsent';
import { useLink } from '../../queries/useLink';
import { useSession } from '../../shop/session';
import { store, stored } from '../../ui/window/stored';

type Added = Request<'cart.addItem'>;

/** What is to be put into a person's cart once there is a link: the call as it was made, with its key. */
interface Waiting {
  key: string;
  person: string;
  args: Added;
  /** Of the product, for the person. */
  name: string;
}

/** The name in sessionStorage: it outlives the page, as the window loads anew when the shop's program was started again. */
const STORED = 'deskhand.waiting';

let all: readonly Waiting[] = (stored('sessionStorage', STORED) as Waiting[] | undefined) ?? [];
const listeners = new Set<() => void>();

function change(next: readonly Waiting[]): void {
  all = next;
  store('sessionStorage', STORED, next);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const keys = new WeakMap<object, string>();

/** The key of a call that puts something into the cart: the same each time it is made. */
export function keyOf(args: object): string {
  const key = keys.get(args) ?? newId();
  keys.set(args, key);
  return key;
}

/** What waits for the link, of the person at the desk. */
export function useWaiting(): readonly Waiting[] {
  const person = useSession()?.staff?.id;
  const now = useSyncExternalStore(subscribe, () => all);
  return now.filter((one) => one.person === person);
}

/** Takes one out of what waits. */
export function removeWaiting(key: string): void {
  change(all.filter((one) => one.key !== key));
}

/**
 * Has what cannot be put into the cart for the link wait. `before` is asked before a call is made, `after` when one has
 * failed; each tells whether it waits now.
 */
export function useWaits() {
  const link = useLink();
  const person = useSession()?.staff?.id ?? '';
  const wait = (args: Added, name: string) => {
    change([...all, { key: keyOf(args), person, args, name }]);
    return true;
  };
  return {
    before: (args: Added, name: string) => (link.down || all.some((one) => one.person === person)) && wait(args, name),
    after: (error: BusError, args: Added, name: string) => isCut(error) && wait(args, name),
  };
}

/**
 * Puts what waits into the cart, one after the other, when there is a link, and before something that depends on it;
 * tells what is refused.
 */
export function useSendWaiting(onRefused: (name: string, why: string) => void): void {
  const client = useClient();
  const link = useLink();
  const person = useSession()?.staff?.id;
  const [first] = useWaiting();
  const sending = useRef<Promise<void>>(undefined);
  const now = useRef({ onRefused, person });
  useEffect(() => {
    now.current = { onRefused, person };
  });
  /** Rejects when the link was cut: it is called again when that has come. */
  const send = useCallback(() => {
    const each = async () => {
      // Another person may be at the desk before all are sent: it is another cart then.
      const next = () => (now.current.person === person ? all.find((one) => one.person === person) : undefined);
      for (let one = next(); one; one = next()) {
        const { key, args, name } = one;
        try {
          await client.invoke('cart.addItem', args, { source: 'Waiting', idempotencyKey: key });
        } catch (thrown) {
          const error = asBusError(thrown);
          if (isCut(error)) throw error;
          now.current.onRefused(name, error.message);
        }
        removeWaiting(key);
      }
    };
    sending.current ??= each().finally(() => {
      sending.current = undefined;
    });
    return sending.current;
  }, [client, person]);
  useEffect(() => {
    if (!link.down && first) send().catch(() => undefined);
  }, [link, first, send]);
  useUnsent(async () => {
    if (!first) return false;
    try {
      await send();
    } catch (thrown) {
      onRefused(first.name, asBusError(thrown).message);
      throw thrown;
    }
    return true;
  });
}
