import { Badge } from '@mantine/core';
import { useCapability } from '../../bus/hooks';
import type { Place } from '../../bus/navigation';
import { statusColor } from '../../bus/orderStatus';
import { useTask } from '../../bus/useTask';
import { humanize } from '../../ui/format';
import { Loading } from '../../ui/Loading';
import { Problem } from '../../ui/Note';
import { BackButton, Page, PageBody, Split } from '../../ui/Page';
import { PageHead } from '../../ui/PageHead';
import { OrderActions } from './OrderActions';
import { OrderFacts } from './OrderFacts';
import { OrderLines } from './OrderLines';
import { ReceiptMenu, ReceiptStatus } from './Receipt';

interface OrderPageProps {
  orderId: string;
  onGo: (place: Place) => void;
}

/** One order: what was bought, what was paid, what happened, and what can be done. */
export function OrderPage({ orderId, onGo }: OrderPageProps) {
  const { data: order, error, refetch } = useCapability('order.get', { orderId }, { source: 'OrderPage' });
  const printing = useTask('document.export', 'Receipt');
  return (
    <Page>
      <PageHead
        title={`Order ${orderId}`}
        before={<BackButton label="All orders" onClick={() => onGo({ page: 'orders' })} />}
      >
        {order?.itemsChanged && <Badge color="gray">Items changed</Badge>}
        {order?.openRequest && <Badge color="amber">{humanize(order.openRequest)} under way</Badge>}
        {order && <Badge color={statusColor(order.status)}>{humanize(order.status)}</Badge>}
        {order && <ReceiptMenu order={order} printing={printing} />}
      </PageHead>
      <ReceiptStatus {...printing} />
      {error && <Problem message={error.message} hint={error.recoveryHint} onRetry={refetch} />}
      {!order && !error && <Loading label="Reading the order" />}
      {order && <OrderActions order={order} />}
      {order && (
        <PageBody label="Order">
          <Split side={<OrderFacts order={order} onOpenCustomer={(id) => onGo({ page: 'customers', id })} />}>
            <OrderLines order={order} onOpenProduct={(id) => onGo({ page: 'catalog', id })} />
          </Split>
        </PageBody>
      )}
    </Page>
  );
}
