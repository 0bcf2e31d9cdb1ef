import type { ReactNode } from 'react';
import type { Place } from '../../bus/navigation';
import { OrderList } from './OrderList';
import { OrderPage } from './OrderPage';

interface OrdersPageProps {
  orderId?: string;
  onGo: (place: Place) => void;
  /** The way to bring in a file of them. */
  importButton: ReactNode;
}

/** All orders, or one of them. */
export default function OrdersPage({ orderId, onGo, importButton }: OrdersPageProps) {
  if (orderId) return <OrderPage key={orderId} orderId={orderId} onGo={onGo} />;
  return <OrderList importButton={importButton} onOpen={(id) => onGo({ page: 'orders', id })} />;
}
