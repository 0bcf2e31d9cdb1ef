import { i18n } from '../../../language/i18n';
import { useCapability } from '../../../queries/useCapability';
import { useTask } from '../../../queries/useTask';
import type { Place } from '../../../shop/navigation';
import { StatusBadge } from '../../../shop/StatusBadge';
import { Badge } from '../../../ui/page/Badge';
import { Loading } from '../../../ui/page/Loading';
import { Problem } from '../../../ui/page/Note';
import { BackButton, Page, PageBody, Split } from '../../../ui/page/Page';
import { PageHead } from '../../../ui/page/PageHead';
import { underWayText } from '../items';
import { OrderActions } from './OrderActions';
import { OrderFacts } from './OrderFacts';
import { OrderLines } from './OrderLines';
import { ReceiptMenu, ReceiptStatus } from './Receipt';

interface OrderPageProps {
  orderId: string;
  onGo: (place: Place) => void;
}

/** One order: lines, payments, history and actions. */
export function OrderPage({ orderId, onGo }: OrderPageProps) {
  const { data: order, error, refetch } = useCapability('order.get', { orderId }, { source: 'OrderPage' });
  const printing = useTask('document.export', 'Receipt', orderId);
  return (
    <Page>
      <PageHead
        title={i18n._('Order {order}', { order: orderId })}
        before={<BackButton label={i18n._('All orders')} onClick={() => onGo({ page: 'orders' })} />}
      >
        {order?.itemsChanged && <Badge color="gray">{i18n._('Items changed')}</Badge>}
        {order?.openRequest && <Badge color="amber">{underWayText(order.openRequest)}</Badge>}
        {order && <StatusBadge status={order.status} />}
        {order && <ReceiptMenu order={order} printing={printing} />}
      </PageHead>
      <ReceiptStatus {...printing} />
      {error && <Problem message={error.message} hint={error.recoveryHint} onRetry={refetch} />}
      {!order && !error && <Loading label={i18n._('Reading the order')} />}
      {order && <OrderActions order={order} />}
      {order && (
        <PageBody label={i18n._('Order')}>
          <Split side={<OrderFacts order={order} onOpenCustomer={(id) => onGo({ page: 'customers', id })} />}>
            <OrderLines order={order} onOpenProduct={(id) => onGo({ page: 'catalog', id })} />
          </Split>
        </PageBody>
      )}
    </Page>
  );
}
