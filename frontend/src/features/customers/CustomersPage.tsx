import type { ReactNode } from 'react';
import type { Place } from '../../bus/navigation';
import { CustomerList } from './CustomerList';
import { CustomerPage } from './CustomerPage';

interface CustomersPageProps {
  customerId?: string;
  onGo: (place: Place) => void;
  /** The way to bring in a file of them. */
  importButton: ReactNode;
}

/** All customers, or one of them. */
export default function CustomersPage({ customerId, onGo, importButton }: CustomersPageProps) {
  if (customerId) return <CustomerPage key={customerId} customerId={customerId} onGo={onGo} />;
  return <CustomerList importButton={importButton} onOpen={(id) => onGo({ page: 'customers', id })} />;
}
