import { Activity, type ReactNode, useState } from 'react';
import type { Place } from '../asking/navigation';
import { PageBoundary } from './shell/BrokenPart';

interface RoomProps {
  page: Place['page'];
  /** Where the window is. */
  place: Place;
  onGo: (place: Place) => void;
  /** Drawn while another page is shown: unseen, and deaf to keys and events. */
  ahead?: boolean;
  /** It is as it was left when somebody comes back; otherwise it begins anew. */
  stays?: boolean;
  children: ReactNode;
}

/** Where a page stands: one that fails or is on its way keeps no other from being shown. */
export function Room({ page, place, onGo, ahead = false, stays = false, children }: RoomProps) {
  const here = place.page === page;
  const [visit, setVisit] = useState({ here, count: 0 });
  if (visit.here !== here) setVisit({ here, count: visit.count + (here || stays ? 0 : 1) });
  if (!here && !ahead) return null;
  return (
    <Activity key={visit.count} mode={here ? 'visible' : 'hidden'}>
      <PageBoundary place={here ? place : { page }} onGo={onGo}>
        {children}
      </PageBoundary>
    </Activity>
  );
}
