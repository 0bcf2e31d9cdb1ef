import { Text } from '@mantine/core';
import type { Response } from '../../../bridge/capabilities';
import { formatTime } from '../../../language/format';
import { i18n } from '../../../language/i18n';
import { requestKinds, returnReasons } from '../../../shop/vocabulary';
import { Badge } from '../../../ui/page/Badge';
import { Part } from '../../../ui/page/Page';
import page from '../../../ui/page/Page.module.css';
import { differenceText, requestLines } from '../items';

/** The returns and exchanges of an order: lines, reasons and sums. */
export function OrderRequests({ order }: { order: Response<'order.get'> }) {
  if (order.requests.length === 0) return null;
  return (
    <Part title={i18n._('Returns and exchanges')}>
      <ul className={page.rows}>
        {order.requests.map((request) => (
          <li key={request.id}>
            <div className={page.grow}>
              <Text fw={500}>
                {requestKinds[request.kind]}{' '}
                <Badge color={request.status === 'received' ? 'pine' : 'amber'}>
                  {request.status === 'received' ? i18n._('Received') : i18n._('Under way')}
                </Badge>
              </Text>
              {requestLines(order, request).map((text) => (
                <Text key={text} size="xs">
                  {text}
                </Text>
              ))}
              {request.reason && (
                <Text size="xs">{i18n._('Reason: {reason}', { reason: returnReasons[request.reason] })}</Text>
              )}
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
