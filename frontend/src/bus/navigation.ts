import { useCallback, useEffect, useState } from 'react';
import type { Request } from './client';
import { useBusEvent, useInvoke } from './hooks';

/** Where the window is. The route lives in the application: the page only follows it. */
export type Place = Request<'navigation.go'>;

const pages: Record<Place['page'], true> = {
  counter: true,
  orders: true,
  customers: true,
  catalog: true,
  reports: true,
  audit: true,
  settings: true,
};
const isPage = (name: unknown): name is Place['page'] => typeof name === 'string' && Object.hasOwn(pages, name);

const REMEMBERED = 'deskhand.place';

/** The place an event of the navigation domain names. */
export function placeOf(ids: readonly string[] | undefined): Place | undefined {
  const [page, id] = ids ?? [];
  return isPage(page) ? { page, id } : undefined;
}

/**
 * The present place, and how to ask for another. Asking is an invocation like
 * any other: the assistant can do it too, and the window follows in either case.
 */
export function usePlace(): { place: Place; go: (place: Place) => void } {
  const [place, setPlace] = useState<Place>(remembered);
  const { mutate } = useInvoke('navigation.go', { source: 'Navigation' });
  const go = useCallback((to: Place) => mutate(to), [mutate]);

  useBusEvent('stateChange', (event) => {
    const next = event.domain === 'navigation' ? placeOf(event.ids) : undefined;
    if (next) setPlace(next);
  });
  // The application does not know where this window was when it was closed.
  useEffect(() => mutate(remembered()), [mutate]);
  useEffect(() => localStorage.setItem(REMEMBERED, JSON.stringify(place)), [place]);
  return { place, go };
}

/** Forgets where the window was: what it showed then is not there any more. */
export function forgetPlace(): void {
  localStorage.removeItem(REMEMBERED);
}

function remembered(): Place {
  try {
    const stored = JSON.parse(localStorage.getItem(REMEMBERED) ?? '');
    if (isPage(stored?.page)) return { page: stored.page, id: stored.id };
  } catch {
    // Nothing stored, or nothing that can be read: start at the beginning.
  }
  return { page: 'counter' };
}
