import { Activity, type ReactNode, useState } from 'react';
import type { Place } from '../shop/navigation';
import { type Forms, FormsAround } from '../ui/window/forms';
import { PageBoundary } from './shell/BrokenPart';

interface KeptPageProps {
  page: Place['page'];
  /** The route of the window. */
  place: Place;
  onGo: (place: Place) => void;
  /** Drawn while another page is shown: unseen, and deaf to keys and events. */
  ahead?: boolean;
  /** Keeps its state when it is left; otherwise it begins anew, unless a form in it was begun. */
  stays?: boolean;
  children: ReactNode;
}

/** The place of a page: one that fails or is loading keeps no other from being shown. */
export function KeptPage({ page, place, onGo, ahead = false, stays = false, children }: KeptPageProps) {
  const here = place.page === page;
  const [forms] = useState<Forms>(() => new Set());
  const [around] = useState([forms]);
  const [visit, setVisit] = useState({ here, kept: false, count: 0 });
  if (visit.here !== here) {
    const kept = stays || forms.size > 0;
    setVisit({ here, kept, count: visit.count + (here || kept ? 0 : 1) });
  }
  if (!here && !ahead && !visit.kept) return null;
  return (
    <Activity key={visit.count} mode={here ? 'visible' : 'hidden'}>
      <FormsAround value={around}>
        <PageBoundary place={here ? place : { page }} onGo={onGo}>
          {children}
        </PageBoundary>
      </FormsAround>
    </Activity>
  );
}
