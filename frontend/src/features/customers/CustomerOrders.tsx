import { Badge, Text } from '@mantine/core';
import { usePages } from '../../bus/hooks';
import { statusColor } from '../../bus/orderStatus';
import { Figure } from '../../ui/Facts';
import { formatMoney, formatTime, humanize } from '../../ui/format';
import { Loading } from '../../ui/Loading';
import { Problem } from '../../ui/Note';
import { Part } from '../../ui/Page';
import { useListCursor } from '../../ui/useListCursor';
import { VirtualListbox } from '../../ui/VirtualListbox';
import classes from './Customers.module.css';

const ROW = 34;
const ROWS_IN_VIEW = 12;

interface CustomerOrdersProps {
  customerId: string;
  onOpenOrder: (orderId: string) => void;
}

/** What a customer has ordered, newest first, however much it is. */
export function CustomerOrders({ customerId, onOpenOrder }: CustomerOrdersProps) {
  const pages = usePages('order.search', { customerId, limit: 50 }, { source: 'CustomerOrders' });
  const orders = pages.data?.pages.flatMap((page) => page.orders) ?? [];
  const choose = (index: number) => orders[index] && onOpenOrder(orders[index].id);
  const cursor = useListCursor(orders.length, choose);
  return (
    <Part title="Orders">
      {pages.error && <Problem message={pages.error.message} hint={pages.error.recoveryHint} onRetry={pages.refetch} />}
      {pages.isPending && !pages.error && <Loading label="Reading the orders" lines={2} />}
      {pages.isSuccess && orders.length === 0 && <Text c="dimmed">Nothing ordered yet.</Text>}
      {orders.length > 0 && (
        <div className={classes.orders} style={{ height: Math.min(orders.length, ROWS_IN_VIEW) * ROW + 2 }}>
          <VirtualListbox
            id="orders-of-customer"
            label="Orders of this customer"
            items={orders}
            keyOf={(order) => order.id}
            rowHeight={ROW}
            cursor={cursor}
            onChoose={choose}
            onEnd={pages.hasNextPage ? pages.fetchNextPage : undefined}
            renderRow={(order) => (
              <div className={classes.order}>
                <Figure fw={600} truncate>
                  {order.id}
                </Figure>
                <Text truncate>
                  {formatTime(order.placedAt)}{' '}
                  <Text span size="xs" c="dimmed">
                    {order.items}
                  </Text>
                </Text>
                <span>
                  <Badge color={statusColor(order.status)}>{humanize(order.status)}</Badge>
                </span>
                <Figure ta="right">{formatMoney(order.total)}</Figure>
              </div>
            )}
          />
        </div>
      )}
    </Part>
  );
}
