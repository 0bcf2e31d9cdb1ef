import type { ReactNode } from 'react';
import { useItems } from '../../../asking/useCapability';
import type { JsonObject } from '../../../door/wire';
import { ListFilters } from '../../../kit/filters/ListFilters';
import { useSelection } from '../../../kit/selection/useSelection';
import { i18n } from '../../../language/i18n';
import { SelectedRows } from '../../../shop/SelectedRows';
import { useDocument } from '../../../shop/useDocument';
import { useSearched } from '../../../shop/useSearchedList';
import { type OrderStatus, orderStatuses, statusSequence } from '../../../shop/vocabulary';
import { Segments } from '../../../ui/form/Segments';
import { head } from '../../../ui/list/cells';
import { ListPage } from '../../../ui/page/ListPage';
import { Empty } from '../../../ui/page/Note';
import { useKept } from '../../../ui/window/useKept';
import classes from '../Orders.module.css';
import { type ListedOrder, OrderRow } from './OrderRow';
import { SelectedReceipts, SelectedReceiptsStatus } from './SelectedReceipts';

const filters: { value: OrderStatus | ''; label: string }[] = [
  { value: '', label: i18n._('All') },
  ...statusSequence.map((value) => ({ value, label: orderStatuses[value] })),
];

const elsewhere = ['query', 'status'];
const ordersOf = (page: { orders: ListedOrder[] }) => page.orders;
const idOf = (order: ListedOrder) => order.id;
const rowOf = (order: ListedOrder) => <OrderRow order={order} />;

interface OrderListProps {
  onOpen: (orderId: string) => void;
  importButton: ReactNode;
}

/** Every order, newest first, by what it says and how far it has come. */
export function OrderList({ onOpen, importButton }: OrderListProps) {
  const [status = '', setStatus] = useKept<OrderStatus | ''>('orders status');
  const [filtered = {}, setFiltered] = useKept<JsonObject>('orders filters');
  const { query, exportingSome, ...list } = useSearched('order.search', {
    source: 'OrderList',
    kind: 'orders',
    narrowed: { ...filtered, status: status || undefined },
  });
  const orders = useItems(list.pages.data, ordersOf);
  const picking = useSelection('order', orders, idOf);
  const receipts = useDocument('receipt', 'SelectedReceipts');

  return (
    <ListPage
      {...list}
      title={i18n._('Orders')}
      id="orders"
      items={orders}
      keyOf={idOf}
      label={i18n._('Search orders')}
      placeholder={i18n._('Number, customer, product, street  ( / )')}
      nouns={[i18n._('order'), i18n._('orders')]}
      before={
        <>
          <Segments label={i18n._('Status')} choices={filters} value={status} onChange={setStatus} />
          <ListFilters of="order.search" elsewhere={elsewhere} values={filtered} onChange={setFiltered} />
        </>
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
      picking={picking}
      foot={
        <>
          <SelectedReceiptsStatus {...receipts.task} />
          <SelectedRows entity="order" picking={picking} goesOn={list.pages.hasNextPage} exporting={exportingSome}>
            {(ids) => <SelectedReceipts orderIds={ids} document={receipts} />}
          </SelectedRows>
        </>
      }
      onOpen={(order) => onOpen(order.id)}
      empty={
        query || status || Object.keys(filtered).length > 0 ? (
          <Empty title={i18n._('No order found')}>{i18n._('Try another word, or show all of them.')}</Empty>
        ) : (
          <Empty title={i18n._('No orders yet')}>{i18n._('The first one comes from the counter.')}</Empty>
        )
      }
    />
  );
}
