import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { i18n } from '../../language/i18n';
import type { Place } from '../../shop/navigation';
import { Boundary } from '../../ui/window/Boundary';
import { Broken } from '../../ui/window/Broken';

interface PageBoundaryProps {
  place: Place;
  onGo: (place: Place) => void;
  children: ReactNode;
}

/** Around the page: one that fails says so in its place, and the rest of the desk works on. */
export function PageBoundary({ place, onGo, children }: PageBoundaryProps) {
  const elsewhere = place.page === 'counter' ? 'orders' : 'counter';
  return (
    <Boundary
      of={`page ${[place.page, place.id].filter(Boolean).join(' ')}`}
      fallback={(breakdown) => (
        <Broken
          {...breakdown}
          page
          title={i18n._('This page failed')}
          ways={
            <Button variant="default" onClick={() => onGo({ page: elsewhere })}>
              {elsewhere === 'counter' ? i18n._('Open the counter') : i18n._('Open the orders')}
            </Button>
          }
        >
          {i18n._('What was done before is recorded, and nothing of it is lost. The rest of the desk works on.')}
        </Broken>
      )}
    >
      {children}
    </Boundary>
  );
}

/** Around everything: the last resort is the window opened anew, at the same place. */
export function WindowBoundary({ children }: { children: ReactNode }) {
  return (
    <Boundary
      of="window"
      fallback={(breakdown) => (
        <Broken
          {...breakdown}
          page
          title={i18n._('The window failed')}
          ways={
            <Button variant="default" onClick={() => location.reload()}>
              {i18n._('Open the window anew')}
            </Button>
          }
        >
          {i18n._('What was done before is recorded, and nothing of it is lost.')}
        </Broken>
      )}
    >
      {children}
    </Boundary>
  );
}
