import { type ReactNode, useCallback } from 'react';
import type { Place } from '../../shop/navigation';
import { ListOrRecord } from '../../ui/window/KeptParts';
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
  const open = useCallback((id: string) => onGo({ page: 'orders', id }), [onGo]);
  return (
    <ListOrRecord
      id={orderId}
      list={<OrderList importButton={importButton} onOpen={open} />}
      record={(id) => <OrderPage orderId={id} onGo={onGo} />}
    />
  );
}
