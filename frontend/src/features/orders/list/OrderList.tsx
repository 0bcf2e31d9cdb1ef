import { memo, type ReactNode } from 'react';
import type { Response } from '../../../bridge/capabilities';
import { RecordsPage } from '../../../kit/lists/RecordsPage';
import { formatMoney, formatTime } from '../../../language/format';
import { i18n } from '../../../language/i18n';
import { ExportSelected } from '../../../shop/ExportSelected';
import { useGo } from '../../../shop/navigation';
import { StatusBadge } from '../../../shop/StatusBadge';
import { useDocument } from '../../../shop/useDocument';
import { useSearched } from '../../../shop/useSearchedList';
import { type OrderStatus, orderStatuses, statusSequence } from '../../../shop/vocabulary';
import { Segments } from '../../../ui/form/Segments';
import { cell, head } from '../../../ui/list/cells';
import row from '../../../ui/list/Row.module.css';
import { Empty } from '../../../ui/page/Note';
import classes from '../Orders.module.css';
import { SelectedReceipts, SelectedReceiptsStatus } from './SelectedReceipts';

const filters: { value: OrderStatus | ''; label: string }[] = [
  { value: '', label: i18n._('All') },
  ...statusSequence.map((value) => ({ value, label: orderStatuses[value] })),
];

const elsewhere = ['status'];
const ordersOf = (page: { orders: ListedOrder[] }) => page.orders;
const idOf = (order: ListedOrder) => order.id;
const rowOf = (order: ListedOrder) => <OrderRow order={order} />;

interface OrderListProps {
  onOpen: (orderId: string) => void;
  importButton: ReactNode;
}

/** Every order, newest first, by what it says and how far it has come. */
export const OrderList = memo(function OrderList({ onOpen, importButton }: OrderListProps) {
  const { query, exportingSome, ...list } = useSearched('order.search', {
    source: 'OrderList',
    kind: 'orders',
    rowsOf: ordersOf,
    keyOf: idOf,
  });
  const { values, onChange } = list.narrowing;
  const go = useGo();
  const receipts = useDocument('receipt', 'SelectedReceipts');

  return (
    <RecordsPage
      {...list}
      entity="order"
      title={i18n._('Orders')}
      id="orders"
      label={i18n._('Search orders')}
      placeholder={i18n._('Number, customer, product, street  ( / )')}
      nouns={[i18n._('order'), i18n._('orders')]}
      elsewhere={elsewhere}
      before={
        <Segments
          label={i18n._('Status')}
          choices={filters}
          value={statusIn(values.status)}
          onChange={(status) => onChange({ ...values, status })}
        />
      }
      after={importButton}
      columns={
        <div className={classes.row}>
          <span {...head}>{i18n._('Order')}</span>
          <span {...head}>{i18n._('Customer')}</span>
          <span {...head}>{i18n._('Status')}</span>
          <span {...head}>{i18n._('Placed')}</span>
          <span {...head}>{i18n._('Total')}</span>
        </div>
      }
      renderRow={rowOf}
      onOpen={(order) => onOpen(order.id)}
      actions={
        <>
          <ExportSelected entity="order" exporting={exportingSome} />
          <SelectedReceipts document={receipts} />
        </>
      }
      outcome={<SelectedReceiptsStatus {...receipts.task} />}
      empty={
        query || Object.keys(values).length > 0 ? (
          <Empty
            title={i18n._('No order found')}
            missing={list.missing}
            action={{ label: i18n._('Show all orders'), onClick: list.showAll }}
          >
            {i18n._('Try another word, or show all of them.')}
          </Empty>
        ) : (
          <Empty
            title={i18n._('No orders yet')}
            action={{ label: i18n._('Go to the counter'), onClick: () => go({ page: 'counter' }) }}
          >
            {i18n._('The first one comes from the counter.')}
          </Empty>
        )
      }
    />
  );
});

const statusIn = (value: unknown): OrderStatus | '' => statusSequence.find((status) => status === value) ?? '';

/** One order as a list of them has it. */
type ListedOrder = Response<'order.search'>['orders'][number];

/** One order in the list. */
function OrderRow({ order }: { order: ListedOrder }) {
  return (
    <div className={classes.row}>
      <span {...cell} className={`${row.cell} ${row.strong} ${row.figure}`}>
        {order.id}
      </span>
      <span {...cell} className={row.cell}>
        {order.customer?.name ?? <span className={row.minor}>{i18n._('Walk-in')}</span>}{' '}
        <span className={row.minor}>{order.items}</span>
      </span>
      <span {...cell} className={row.cell}>
        <StatusBadge status={order.status} />
      </span>
      <span {...cell} className={`${row.cell} ${row.minor}`}>
        {formatTime(order.placedAt)}
      </span>
      <span {...cell} className={`${row.cell} ${row.figure} ${row.end}`}>
        {formatMoney(order.total)}
      </span>
    </div>
  );
}
