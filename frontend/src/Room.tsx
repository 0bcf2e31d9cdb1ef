import { Activity, type ReactNode } from 'react';
import type { Place } from './bus/navigation';
import { PageBoundary } from './features/shell/BrokenPart';

interface RoomProps {
  page: Place['page'];
  /** Where the window is. */
  place: Place;
  onGo: (place: Place) => void;
  /** Stays while another page is shown: as it was left, unseen, and deaf to keys and events. */
  stays?: boolean;
  children: ReactNode;
}

/** Where a page stands: one that fails or is on its way keeps no other from being shown. */
export function Room({ page, place, onGo, stays = false, children }: RoomProps) {
  const here = place.page === page;
  if (!here && !stays) return null;
  return (
    <Activity mode={here ? 'visible' : 'hidden'}>
      <PageBoundary place={here ? place : { page }} onGo={onGo}>
        {children}
      </PageBoundary>
    </Activity>
  );
}
