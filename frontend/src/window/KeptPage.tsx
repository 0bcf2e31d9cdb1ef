import { Activity, type ReactNode, useState } from 'react';
import type { Place } from '../shop/navigation';
import { PageBoundary } from './shell/BrokenPart';

interface KeptPageProps {
  page: Place['page'];
  /** The route of the window. */
  place: Place;
  onGo: (place: Place) => void;
  /** Drawn while another page is shown: unseen, and deaf to keys and events. */
  ahead?: boolean;
  /** Keeps its state when it is left; otherwise it begins anew. */
  stays?: boolean;
  children: ReactNode;
}

/** The place of a page: one that fails or is loading keeps no other from being shown. */
export function KeptPage({ page, place, onGo, ahead = false, stays = false, children }: KeptPageProps) {
  const here = place.page === page;
  const [visit, setVisit] = useState({ here, seen: here, count: 0 });
  if (visit.here !== here) setVisit({ here, seen: true, count: visit.count + (here || stays ? 0 : 1) });
  if (!here && !ahead && !(stays && visit.seen)) return null;
  return (
    <Activity key={visit.count} mode={here ? 'visible' : 'hidden'}>
      <PageBoundary place={here ? place : { page }} onGo={onGo}>
        {children}
      </PageBoundary>
    </Activity>
  );
}
