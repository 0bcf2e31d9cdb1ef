import { Badge, Text } from '@mantine/core';
import type { Response } from '../../bus/client';
import { statusColor } from '../../bus/orderStatus';
import { formatMoney, formatTime, humanize } from '../../ui/format';
import classes from './Orders.module.css';

/** One order in the list. */
export function OrderRow({ order }: { order: Response<'order.search'>['orders'][number] }) {
  return (
    <div className={classes.row}>
      <Text fw={600} className={classes.figure} truncate>
        {order.id}
      </Text>
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
      <Text className={classes.figure} ta="right">
        {formatMoney(order.total)}
      </Text>
    </div>
  );
}
