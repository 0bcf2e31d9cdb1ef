import { SegmentedControl } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { usePages } from '../../bus/hooks';
import { type Status, statuses } from '../../bus/orderStatus';
import { useDocument } from '../../bus/useDocument';
import { ExportMenu, ExportStatus } from '../../ui/FileExport';
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
  const [text = '', setText] = useKept<string>('orders text');
  const [status = '', setStatus] = useKept<Status | ''>('orders status');
  const [query] = useDebouncedValue(text.trim(), 150);
  const pages = usePages(
    'order.search',
    { query: query || undefined, status: status || undefined, limit: 100 },
    { source: 'OrderList' },
  );
  const orders = pages.data?.pages.flatMap((page) => page.orders) ?? [];

  const { formats, write, task } = useDocument('orders', 'OrderList');

  return (
    <ListPage
      title="Orders"
      id="orders"
      pages={pages}
      items={orders}
      keyOf={(order) => order.id}
      search={{ value: text, placeholder: 'Number, customer or product  ( / )', onChange: setText }}
      before={<SegmentedControl size="xs" aria-label="Status" data={filters} value={status} onChange={setStatus} />}
      after={
        <>
          <ExportMenu
            formats={formats}
            busy={task.running}
            onStart={(format) => write(format, { query: query || undefined, status: status || undefined })}
          />
          {importButton}
        </>
      }
      task={<ExportStatus {...task} nouns={['order', 'orders']} />}
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
