import { Text } from '@mantine/core';
import type { Response } from '../../bridge/capabilities';
import { formatMoney, formatTime } from '../../language/format';
import { i18n } from '../../language/i18n';
import { usePages } from '../../queries/usePages';
import { StatusBadge } from '../../shop/StatusBadge';
import { cell } from '../../ui/list/cells';
import row from '../../ui/list/Row.module.css';
import { useListCursor } from '../../ui/list/useListCursor';
import { VirtualListbox } from '../../ui/list/VirtualListbox';
import { Loading } from '../../ui/page/Loading';
import { Problem } from '../../ui/page/Note';
import { Part } from '../../ui/page/Page';
import { useRowHeight } from '../../ui/theme/sizes';
import classes from './Customers.module.css';

const ROW = 34;
const ROWS_IN_VIEW = 12;

type Order = Response<'order.search'>['orders'][number];

const ordersOf = (page: { orders: Order[] }) => page.orders;
const idOf = (order: Order) => order.id;
const options = { source: 'CustomerOrders', rowsOf: ordersOf, keyOf: idOf };
const rowOf = (order: Order) => (
  <div className={classes.order}>
    <span {...cell} className={`${row.cell} ${row.strong} ${row.figure}`}>
      {order.id}
    </span>
    <span {...cell} className={row.cell}>
      {formatTime(order.placedAt)} <span className={row.minor}>{order.items}</span>
    </span>
    <span {...cell} className={row.cell}>
      <StatusBadge status={order.status} />
    </span>
    <span {...cell} className={`${row.cell} ${row.figure} ${row.end}`}>
      {formatMoney(order.total)}
    </span>
  </div>
);

interface CustomerOrdersProps {
  customerId: string;
  onOpenOrder: (orderId: string) => void;
}

/** The orders of a customer, newest first, read page by page. */
export function CustomerOrders({ customerId, onOpenOrder }: CustomerOrdersProps) {
  const pages = usePages('order.search', { customerId, limit: 50 }, options);
  const orders = pages.items;
  const choose = (index: number) => orders[index] && onOpenOrder(orders[index].id);
  const cursor = useListCursor(orders, idOf, choose);
  const height = useRowHeight(ROW);
  return (
    <Part title={i18n._('Orders')}>
      {pages.error && <Problem message={pages.error.message} hint={pages.error.recoveryHint} onRetry={pages.refetch} />}
      {pages.isPending && !pages.error && <Loading label={i18n._('Reading the orders')} lines={2} />}
      {pages.isSuccess && orders.length === 0 && <Text c="dimmed">{i18n._('Nothing ordered yet.')}</Text>}
      {orders.length > 0 && (
        <div className={classes.orders} style={{ height: Math.min(orders.length, ROWS_IN_VIEW) * height + 2 }}>
          <VirtualListbox
            id="orders-of-customer"
            label={i18n._('Orders of this customer')}
            heads={[i18n._('Order'), i18n._('Placed'), i18n._('Status'), i18n._('Total')]}
            items={orders}
            keyOf={idOf}
            rowHeight={ROW}
            cursor={cursor}
            onChoose={choose}
            onShow={pages.list.show}
            renderRow={rowOf}
          />
        </div>
      )}
    </Part>
  );
}
