import { Text } from '@mantine/core';
import type { Response } from '../../bus/client';
import { formatDay, formatMoment, formatMoney, humanize } from '../../ui/format';
import classes from './Orders.module.css';

/** Who it is for, where it goes, what was paid, and what happened to it. */
export function OrderFacts({ order }: { order: Response<'order.get'> }) {
  return (
    <div className={classes.side}>
      <section className={classes.part}>
        <h2>Customer</h2>
        <Text>{order.customer.name}</Text>
        <Text size="xs" c="dimmed">
          {[order.customer.email, order.customer.phone].filter(Boolean).join(' · ')}
        </Text>
      </section>
      <section className={classes.part}>
        <h2>Delivery</h2>
        <Text>{[order.shippingAddress.label, order.shippingAddress.text].filter(Boolean).join(': ')}</Text>
        {order.estimatedDelivery && order.status !== 'cancelled' && (
          <Text size="xs" c="dimmed">
            Estimated {formatDay(order.estimatedDelivery)}
          </Text>
        )}
        {order.giftMessage && <Text mt={4}>“{order.giftMessage}”</Text>}
      </section>
      <section className={classes.part}>
        <h2>Payments recorded</h2>
        <table className={classes.table}>
          <tbody>
            {order.payments.map((payment) => (
              <tr key={`${payment.at} ${payment.kind} ${payment.paymentMethodId}`}>
                <td>
                  {humanize(payment.kind)}
                  <Text size="xs" c="dimmed">
                    {payment.label}
                  </Text>
                </td>
                <td className={classes.number}>
                  {payment.kind === 'refund' && '−'}
                  {formatMoney(payment.amount)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {order.notes.length > 0 && (
        <section className={classes.part}>
          <h2>Notes</h2>
          {order.notes.map((note) => (
            <Text key={note.id}>
              {note.text}{' '}
              <Text span size="xs" c="dimmed">
                {note.by}
              </Text>
            </Text>
          ))}
        </section>
      )}
      <section className={classes.part}>
        <h2>What happened</h2>
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
      </section>
    </div>
  );
}
