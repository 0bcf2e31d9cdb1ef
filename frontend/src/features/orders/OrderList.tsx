import { Group, SegmentedControl, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { usePages } from '../../bus/hooks';
import { type Status, statuses } from '../../bus/orderStatus';
import { humanize } from '../../ui/format';
import { Loading } from '../../ui/Loading';
import { Empty, Problem } from '../../ui/Note';
import { PageHead } from '../../ui/PageHead';
import { useKept } from '../../ui/useKept';
import { useListCursor } from '../../ui/useListCursor';
import { VirtualListbox } from '../../ui/VirtualListbox';
import { OrderRow } from './OrderRow';
import classes from './Orders.module.css';

const filters: { value: Status | ''; label: string }[] = [
  { value: '', label: 'All' },
  ...statuses.map((value) => ({ value, label: humanize(value) })),
];

/** Every order, newest first, by what it says and how far it has come. */
export function OrderList({ onOpen }: { onOpen: (orderId: string) => void }) {
  const [text = '', setText] = useKept<string>('orders text');
  const [status = '', setStatus] = useKept<Status | ''>('orders status');
  const [query] = useDebouncedValue(text.trim(), 150);
  const pages = usePages(
    'order.search',
    { query: query || undefined, status: status || undefined, limit: 100 },
    { source: 'OrderList' },
  );
  const orders = pages.data?.pages.flatMap((page) => page.orders) ?? [];
  const choose = (index: number) => orders[index] && onOpen(orders[index].id);
  const cursor = useListCursor(orders.length, choose);

  return (
    <div className={classes.page}>
      <PageHead title="Orders">
        <Group gap="sm" wrap="wrap">
          <SegmentedControl size="xs" aria-label="Status" data={filters} value={status} onChange={setStatus} />
          <TextInput
            aria-label="Search orders"
            placeholder="Number, customer or product"
            leftSection={<IconSearch size={15} aria-hidden />}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
        </Group>
      </PageHead>
      {pages.error && <Problem message={pages.error.message} hint={pages.error.recoveryHint} onRetry={pages.refetch} />}
      <div className={classes.columns} aria-hidden>
        <span>Order</span>
        <span>Customer</span>
        <span>Status</span>
        <span>Placed</span>
        <span>Total</span>
      </div>
      <div className={classes.list}>
        {pages.isPending && <Loading label="Reading the orders" />}
        {pages.isSuccess && orders.length === 0 && (
          <Empty title="No order found">Try another word, or show all of them.</Empty>
        )}
        {orders.length > 0 && (
          <VirtualListbox
            id="orders"
            label="Orders"
            items={orders}
            keyOf={(order) => order.id}
            rowHeight={38}
            cursor={cursor}
            onChoose={choose}
            onEnd={pages.hasNextPage ? pages.fetchNextPage : undefined}
            renderRow={(order) => <OrderRow order={order} />}
          />
        )}
      </div>
    </div>
  );
}
