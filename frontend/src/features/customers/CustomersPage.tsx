import { type ReactNode, useCallback } from 'react';
import type { Place } from '../../shop/navigation';
import { ListOrRecord } from '../../ui/window/KeptParts';
import { CustomerList } from './CustomerList';
import { CustomerPage } from './CustomerPage';

interface CustomersPageProps {
  customerId?: string;
  onGo: (place: Place) => void;
  /** The way to bring in a file of them. */
  importButton: ReactNode;
}

/** All customers, or one of them; the list stays as it was left. */
export default function CustomersPage({ customerId, onGo, importButton }: CustomersPageProps) {
  const open = useCallback((id: string) => onGo({ page: 'customers', id }), [onGo]);
  return (
    <ListOrRecord
      id={customerId}
      list={<CustomerList importButton={importButton} onOpen={open} />}
      record={(id) => <CustomerPage customerId={id} onGo={onGo} />}
    />
  );
}
