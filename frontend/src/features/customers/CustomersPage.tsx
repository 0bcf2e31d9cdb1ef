import type { Place } from '../../bus/navigation';
import { CustomerList } from './CustomerList';
import { CustomerPage } from './CustomerPage';

interface CustomersPageProps {
  customerId?: string;
  onGo: (place: Place) => void;
}

/** All customers, or one of them. */
export default function CustomersPage({ customerId, onGo }: CustomersPageProps) {
  if (customerId) return <CustomerPage key={customerId} customerId={customerId} onGo={onGo} />;
  return <CustomerList onOpen={(id) => onGo({ page: 'customers', id })} />;
}
