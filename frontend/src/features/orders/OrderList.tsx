import { SegmentedControl } from '@mantine/core';
import type { ReactNode } from 'react';
import { type Status, statuses } from '../../bus/orderStatus';
import { useSearched } from '../../bus/useSearched';
import { humanize } from '../../ui/format';
import { ListPage } from '../../ui/ListPage';
import { Empty } from '../../ui/Note';
import { useKept } from '../../ui/useKept';
import { OrderRow } from './OrderRow';
import classes from './Orders.module.css';

const filters: { value: Status | ''; label: string }[] = [
  { value: '', label: 'All' },
  ...statuses.map((value) => ({ value, label: humanize(value) })),
];

interface OrderListProps {
  onOpen: (orderId: string) => void;
  importButton: ReactNode;
}

/** Every order, newest first, by what it says and how far it has come. */
export function OrderList({ onOpen, importButton }: OrderListProps) {
  const [status = '', setStatus] = useKept<Status | ''>('orders status');
  const { query, ...list } = useSearched('order.search', {
    source: 'OrderList',
    kind: 'orders',
    narrowed: { status: status || undefined },
  });
  const orders = list.pages.data?.pages.flatMap((page) => page.orders) ?? [];

  return (
    <ListPage
      {...list}
      title="Orders"
      id="orders"
      items={orders}
      keyOf={(order) => order.id}
      placeholder="Number, customer or product  ( / )"
      nouns={['order', 'orders']}
      before={<SegmentedControl size="xs" aria-label="Status" data={filters} value={status} onChange={setStatus} />}
      after={importButton}
      columns={
        <div className={classes.row}>
          <span>Order</span>
          <span>Customer</span>
          <span>Status</span>
          <span>Placed</span>
          <span>Total</span>
        </div>
      }
      renderRow={(order) => <OrderRow order={order} />}
      onOpen={(order) => onOpen(order.id)}
      empty={
        query || status ? (
          <Empty title="No order found">Try another word, or show all of them.</Empty>
        ) : (
          <Empty title="No orders yet">The first one comes from the counter.</Empty>
        )
      }
    />
  );
}
