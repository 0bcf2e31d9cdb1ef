import { Anchor, Text } from '@mantine/core';
import type { Response } from '../../../bridge/capabilities';
import { formatDay, formatMinute, formatMoney } from '../../../language/format';
import { i18n } from '../../../language/i18n';
import { fulfilmentText, paymentKinds } from '../../../shop/vocabulary';
import { Part } from '../../../ui/page/Page';
import page from '../../../ui/page/Page.module.css';
import { Table } from '../../../ui/page/Table';
import classes from '../Orders.module.css';
import { OrderRequests } from './OrderRequests';

interface OrderFactsProps {
  order: Response<'order.get'>;
  onOpenCustomer: (customerId: string) => void;
}

/** The customer, address, payments and history of an order. */
export function OrderFacts({ order, onOpenCustomer }: OrderFactsProps) {
  const { customer, shippingAddress } = order;
  return (
    <>
      <Part title={i18n._('Customer')}>
        {customer ? (
          <>
            <Anchor component="button" size="sm" onClick={() => onOpenCustomer(customer.id)}>
              {customer.name}
            </Anchor>
            <Text size="xs" c="dimmed">
              {[customer.email, customer.phone].filter(Boolean).join(' · ')}
            </Text>
          </>
        ) : (
          <Text c="dimmed">{i18n._('Walk-in')}</Text>
        )}
        {order.exportedName && (
          <Text size="xs">{i18n._('It was order {order} before.', { order: order.exportedName })}</Text>
        )}
      </Part>
      <Part title={i18n._('Delivery')}>
        <Text>
          {shippingAddress
            ? [shippingAddress.label, shippingAddress.text].filter(Boolean).join(': ')
            : fulfilmentText(order)}
        </Text>
        {shippingAddress && order.estimatedDelivery && order.status !== 'cancelled' && (
          <Text size="xs" c="dimmed">
            {[order.shippingMethod, i18n._('Estimated {day}', { day: formatDay(order.estimatedDelivery) })]
              .filter(Boolean)
              .join(' · ')}
          </Text>
        )}
        {order.giftMessage && <Text mt={4}>“{order.giftMessage}”</Text>}
        {order.fulfilments.map(({ at, trackingId, variantIds }) => (
          <Text key={at} size="xs" mt={4}>
            {[
              i18n._('Parcel of {time}', { time: formatMinute(at) }),
              trackingId && i18n._('tracking number {number}', { number: trackingId }),
              variantIds.length > 0 &&
                i18n._('{count} of {all} lines', { count: variantIds.length, all: order.lines.length }),
            ]
              .filter(Boolean)
              .join(', ')}
          </Text>
        ))}
      </Part>
      <Part title={i18n._('Payments recorded')}>
        <Table>
          {order.payments.map((payment) => (
            <tr key={`${payment.at} ${payment.kind} ${payment.paymentMethodId}`}>
              <td>
                {paymentKinds[payment.kind]}
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
        </Table>
      </Part>
      <OrderRequests order={order} />
      {order.notes.length > 0 && (
        <Part title={i18n._('Notes')}>
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
      <Part title={i18n._('What happened')}>
        <ol className={classes.timeline}>
          {order.timeline.map((event) => (
            <li key={`${event.at} ${event.text}`}>
              <Text>{event.text}</Text>
              <Text size="xs" c="dimmed">
                {formatMinute(event.at)}
              </Text>
            </li>
          ))}
        </ol>
      </Part>
    </>
  );
}
