import { Anchor, Text } from '@mantine/core';
import type { Response } from '../../bus/client';
import { formatDay, formatMoment, formatMoney, humanize } from '../../ui/format';
import { Part } from '../../ui/Page';
import page from '../../ui/Page.module.css';
import { OrderRequests } from './OrderRequests';
import classes from './Orders.module.css';

interface OrderFactsProps {
  order: Response<'order.get'>;
  onOpenCustomer: (customerId: string) => void;
}

/** Who it is for, where it goes, what was paid, and what happened to it. */
export function OrderFacts({ order, onOpenCustomer }: OrderFactsProps) {
  const { customer, shippingAddress } = order;
  return (
    <>
      <Part title="Customer">
        <Anchor component="button" size="sm" onClick={() => onOpenCustomer(customer.id)}>
          {customer.name}
        </Anchor>
        <Text size="xs" c="dimmed">
          {[customer.email, customer.phone].filter(Boolean).join(' · ')}
        </Text>
      </Part>
      <Part title="Delivery">
        <Text>{[shippingAddress.label, shippingAddress.text].filter(Boolean).join(': ')}</Text>
        {order.estimatedDelivery && order.status !== 'cancelled' && (
          <Text size="xs" c="dimmed">
            {[order.shippingMethod, `Estimated ${formatDay(order.estimatedDelivery)}`].filter(Boolean).join(' · ')}
          </Text>
        )}
        {order.giftMessage && <Text mt={4}>“{order.giftMessage}”</Text>}
        {order.fulfilments.map(({ at, trackingId, variantIds }) => (
          <Text key={at} size="xs" mt={4}>
            Parcel of {formatMoment(at)}
            {trackingId && `, tracking number ${trackingId}`}
            {variantIds.length > 0 && `, ${variantIds.length} of ${order.lines.length} lines`}
          </Text>
        ))}
      </Part>
      <Part title="Payments recorded">
        <table className={page.table}>
          <tbody>
            {order.payments.map((payment) => (
              <tr key={`${payment.at} ${payment.kind} ${payment.paymentMethodId}`}>
                <td>
                  {humanize(payment.kind)}
                  <Text size="xs" c="dimmed">
                    {payment.label}
                  </Text>
                </td>
                <td className={page.number}>
                  {payment.kind === 'refund' && '−'}
                  {formatMoney(payment.amount)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Part>
      <OrderRequests order={order} />
      {order.notes.length > 0 && (
        <Part title="Notes">
          {order.notes.map((note) => (
            <Text key={note.id}>
              {note.text}{' '}
              <Text span size="xs" c="dimmed">
                {note.by}
              </Text>
            </Text>
          ))}
        </Part>
      )}
      <Part title="What happened">
        <ol className={classes.timeline}>
          {order.timeline.map((event) => (
            <li key={`${event.at} ${event.text}`}>
              <Text>{event.text}</Text>
              <Text size="xs" c="dimmed">
                {formatMoment(event.at)}
              </Text>
            </li>
          ))}
        </ol>
      </Part>
    </>
  );
}
