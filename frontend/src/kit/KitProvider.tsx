import { type ReactNode, useState } from 'react';
import type { Backend } from '../bridge/backend';
import { Client } from '../bridge/client';
import { BusProvider } from '../queries/BusProvider';
import { type Domain, DomainProvider, noDomain } from './domain';

interface KitProviderProps {
  /** Undefined where the page was opened without its application. */
  backend: Backend | undefined;
  /** What is shown then. */
  otherwise?: ReactNode;
  /** What the application tells of its domain; what is left out reads as it is. */
  domain?: Partial<Domain>;
  children: ReactNode;
}

/** Connects everything below it to an application, and tells it the application's domain. Neither ever changes. */
export function KitProvider({ backend, otherwise, domain, children }: KitProviderProps) {
  const [known] = useState<Domain>(() => ({ ...noDomain, ...domain }));
  const [client] = useState(() => backend && new Client(backend, known.sentences));
  if (!client) return otherwise;
  return (
    <BusProvider client={client}>
      <DomainProvider value={known}>{children}</DomainProvider>
    </BusProvider>
  );
}
