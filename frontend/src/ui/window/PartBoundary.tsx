import type { ReactNode } from 'react';
import { i18n } from '../../language/i18n';
import { Boundary } from './Boundary';
import { Broken } from './Broken';

/** Around what stands beside or above the page. */
export function PartBoundary({ of, children }: { of: string; children: ReactNode }) {
  return (
    <Boundary
      of={of}
      fallback={(breakdown) => (
        <Broken {...breakdown} title={i18n._('This part of the window failed')}>
          {i18n._(
            'Nothing was done by it, and what waits for an answer goes on waiting. The rest of the desk works on.',
          )}
        </Broken>
      )}
    >
      {children}
    </Boundary>
  );
}
