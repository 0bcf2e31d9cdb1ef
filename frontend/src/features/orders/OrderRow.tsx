import { Badge, Text } from '@mantine/core';
import type { Response } from '../../bus/client';
import { statusColor } from '../../bus/orderStatus';
import { Figure } from '../../ui/Facts';
import { formatMoney, formatTime, humanize } from '../../ui/format';
import classes from './Orders.module.css';

/** One order in the list. */
export function OrderRow({ order }: { order: Response<'order.search'>['orders'][number] }) {
  return (
    <div className={classes.row}>
      <Figure fw={600} truncate>
        {order.id}
      </Figure>
      <Text truncate>
        {order.customer.name}{' '}
        <Text span size="xs" c="dimmed">
          {order.items}
        </Text>
      </Text>
      <span>
        <Badge color={statusColor(order.status)}>{humanize(order.status)}</Badge>
      </span>
      <Text size="xs" c="dimmed" truncate>
        {formatTime(order.placedAt)}
      </Text>
      <Figure ta="right">{formatMoney(order.total)}</Figure>
    </div>
  );
}
