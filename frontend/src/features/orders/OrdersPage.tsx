import type { Place } from '../../bus/navigation';
import { OrderList } from './OrderList';
import { OrderPage } from './OrderPage';

interface OrdersPageProps {
  orderId?: string;
  onGo: (place: Place) => void;
}

/** All orders, or one of them. */
export default function OrdersPage({ orderId, onGo }: OrdersPageProps) {
  if (orderId) return <OrderPage key={orderId} orderId={orderId} onGo={onGo} />;
  return <OrderList onOpen={(id) => onGo({ page: 'orders', id })} />;
}
