import { useCallback, useEffect, useState } from 'react';
import type { Request } from '../bridge/capabilities';
import type { Client, InvokeOptions } from '../bridge/client';
import { useClient } from '../queries/BusProvider';
import { useBusEvent } from '../queries/useBusEvent';
import { store, stored } from '../ui/window/stored';
import { personalName } from '../ui/window/useKept';
import { pages } from './places';

/** The route of the window. It lives in the application; the page follows it. */
export type Place = Request<'navigation.go'>;

const isPage = (name: unknown): name is Place['page'] => pages.some(({ page }) => page === name);

const REMEMBERED = personalName('place');

/** The windows that have told where they were; there is one for each client. */
const opened = new WeakSet<Client>();

/** The place an event of the navigation domain names. */
export function placeOf(ids: readonly string[] | undefined): Place | undefined {
  const [page, id] = ids ?? [];
  return isPage(page) ? { page, id } : undefined;
}

/** The place that each window has asked for last, and the answer to that. */
const asked = new WeakMap<Client, { place: Place; answer: Promise<unknown> }>();

/**
 * Asks for another place: an invocation like any other. The assistant can do it too, and the window follows in either
 * case. The application runs calls side by side: each request therefore waits for the one before, and is dropped where
 * another came meanwhile, so that the window stays at the place that was asked for last.
 */
export function goTo(client: Client, place: Place, options: InvokeOptions): void {
  const before: Promise<unknown> = asked.get(client)?.answer ?? Promise.resolve();
  const answer = before
    .then(async () => {
      if (asked.get(client)?.place === place) await client.invoke('navigation.go', place, options);
    })
    .catch(() => undefined); // it stays where it is
  asked.set(client, { place, answer });
}

/** How to ask for another place. */
export function useGo(): (place: Place) => void {
  const client = useClient();
  return useCallback((place: Place) => goTo(client, place, { source: 'Navigation' }), [client]);
}

/** The present place, and how to ask for another. */
export function usePlace(): { place: Place; go: (place: Place) => void } {
  const client = useClient();
  const [place, setPlace] = useState<Place>(remembered);
  const go = useGo();

  useBusEvent('stateChange', ({ domain, ids }) => {
    const next = domain === 'navigation' ? placeOf(ids) : undefined;
    if (next) setPlace(next);
  });
  // The application does not know the route of a window that was closed, nor of another person: tell it once.
  useEffect(() => {
    if (opened.has(client) && stored('localStorage', REMEMBERED)) return;
    opened.add(client);
    go(remembered());
  }, [client, go]);
  useEffect(() => store('localStorage', REMEMBERED, place), [place]);
  return { place, go };
}

/** Opens a page, or that of a record, by its link, such as "customers" and "customers/cus_1". */
export function useOpenLink(): (link: string) => void {
  const client = useClient();
  return useCallback(
    (link) => {
      const place = placeOf(/^([^/]*)(?:\/(.+))?$/.exec(link)?.slice(1));
      if (place) goTo(client, place, { source: 'RecordLink' });
    },
    [client],
  );
}

/** Forgets the route of the window: its page no longer exists. */
export function forgetPlace(): void {
  store('localStorage', REMEMBERED, undefined);
}

function remembered(): Place {
  const { page, id } = (stored('localStorage', REMEMBERED) ?? {}) as Partial<Place>;
  return isPage(page) ? { page, id } : { page: 'today' };
}
