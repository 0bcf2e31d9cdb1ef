import { ActionIcon, Badge, Tooltip } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { useState } from 'react';
import { useCapability, useEntry } from '../../bus/hooks';
import { statusColor } from '../../bus/orderStatus';
import { ActionButton } from '../../ui/ActionButton';
import { humanize } from '../../ui/format';
import { Loading } from '../../ui/Loading';
import { Problem } from '../../ui/Note';
import { PageHead } from '../../ui/PageHead';
import { actionReason } from './actions';
import { CancelOrder } from './CancelOrder';
import { OrderFacts } from './OrderFacts';
import { OrderLines } from './OrderLines';
import classes from './Orders.module.css';

interface OrderPageProps {
  orderId: string;
  onBack: () => void;
}

/** One order: what was bought, what was paid, what happened, and what can be done. */
export function OrderPage({ orderId, onBack }: OrderPageProps) {
  const { data: order, error, refetch } = useCapability('order.get', { orderId }, { source: 'OrderPage' });
  const cancel = useEntry('order.cancel');
  const [cancelling, setCancelling] = useState(false);

  return (
    <div className={classes.page}>
      <PageHead
        title={`Order ${orderId}`}
        before={
          <Tooltip label="All orders">
            <ActionIcon aria-label="All orders" onClick={onBack}>
              <IconArrowLeft size={17} aria-hidden />
            </ActionIcon>
          </Tooltip>
        }
      >
        {order && <Badge color={statusColor(order.status)}>{humanize(order.status)}</Badge>}
        {order && (
          <ActionButton
            variant="default"
            disabledReason={actionReason('order.cancel', cancel, order.actions)}
            onClick={() => setCancelling(true)}
          >
            Cancel order
          </ActionButton>
        )}
      </PageHead>
      {error && <Problem message={error.message} hint={error.recoveryHint} onRetry={refetch} />}
      {!order && !error && <Loading label="Reading the order" />}
      {order && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
        <section className={classes.scroll} tabIndex={0} aria-label="Order">
          <div className={classes.columnsOfOrder}>
            <OrderLines order={order} />
            <OrderFacts order={order} />
          </div>
        </section>
      )}
      {cancelling && <CancelOrder orderId={orderId} onClose={() => setCancelling(false)} />}
    </div>
  );
}
