import { Activity, type ReactNode } from 'react';
import type { Place } from '../../shop/navigation';
import { OrderList } from './list/OrderList';
import { OrderPage } from './page/OrderPage';

interface OrdersPageProps {
  orderId?: string;
  onGo: (place: Place) => void;
  /** The way to bring in a file of them. */
  importButton: ReactNode;
}

/** All orders, or one of them; the list stays as it was left. */
export default function OrdersPage({ orderId, onGo, importButton }: OrdersPageProps) {
  return (
    <>
      <Activity mode={orderId ? 'hidden' : 'visible'}>
        <OrderList importButton={importButton} onOpen={(id) => onGo({ page: 'orders', id })} />
      </Activity>
      {orderId && <OrderPage key={orderId} orderId={orderId} onGo={onGo} />}
    </>
  );
}
