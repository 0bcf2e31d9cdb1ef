import { Badge, Text } from '@mantine/core';
import type { Response } from '../../bus/client';
import { formatTime, humanize } from '../../ui/format';
import { Part } from '../../ui/Page';
import page from '../../ui/Page.module.css';
import { differenceText, requestLines } from './items';

/** Returns and exchanges: what comes back, what for, and what it comes to. */
export function OrderRequests({ order }: { order: Response<'order.get'> }) {
  if (order.requests.length === 0) return null;
  return (
    <Part title="Returns and exchanges">
      <ul className={page.rows}>
        {order.requests.map((request) => (
          <li key={request.id}>
            <div className={page.grow}>
              <Text fw={500}>
                {humanize(request.kind)}{' '}
                <Badge color={request.status === 'received' ? 'pine' : 'amber'}>
                  {request.status === 'received' ? 'Received' : 'Under way'}
                </Badge>
              </Text>
              {requestLines(order, request).map((text) => (
                <Text key={text} size="xs">
                  {text}
                </Text>
              ))}
              <Text size="xs" c="dimmed">
                {differenceText(request.difference, request.label)}{' '}
                {formatTime(request.receivedAt ?? request.requestedAt)}
              </Text>
            </div>
          </li>
        ))}
      </ul>
    </Part>
  );
}
