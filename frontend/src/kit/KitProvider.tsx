import { type ReactNode, useState } from 'react';
import { BusProvider } from '../asking/BusProvider';
import type { Backend } from '../door/backend';
import { Client } from '../door/client';
import { type Domain, DomainProvider, noDomain } from './domain';

interface KitProviderProps {
  backend: Backend;
  /** What the application tells of its domain; what is left out reads as it is. */
  domain?: Partial<Domain>;
  children: ReactNode;
}

/** Connects everything below it to an application, and tells it the application's domain. Neither ever changes. */
export function KitProvider({ backend, domain, children }: KitProviderProps) {
  const [known] = useState<Domain>(() => ({ ...noDomain, ...domain }));
  const [client] = useState(() => new Client(backend, known.sentences));
  return (
    <BusProvider client={client} madeOf={known.madeOf}>
      <DomainProvider value={known}>{children}</DomainProvider>
    </BusProvider>
  );
}
