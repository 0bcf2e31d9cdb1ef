import { Anchor, Text } from '@mantine/core';
import type { Response } from '../../../bridge/capabilities';
import { formatMoney } from '../../../language/format';
import { i18n } from '../../../language/i18n';
import { roundingOf, type Sum, sumsOf } from '../../../shop/sums';
import { Badge } from '../../../ui/page/Badge';
import page from '../../../ui/page/Page.module.css';
import { Table } from '../../../ui/page/Table';

interface OrderLinesProps {
  order: Response<'order.get'>;
  onOpenProduct: (productId: string) => void;
}

/** The lines of an order and their sums. */
export function OrderLines({ order, onOpenProduct }: OrderLinesProps) {
  const sums: Sum[] = [...sumsOf(order), [i18n._('Total'), formatMoney(order.total)], ...roundingOf(order.rounding)];
  if (order.refunded && order.net)
    sums.push([i18n._('Refunded'), `−${formatMoney(order.refunded)}`], [i18n._('Net'), formatMoney(order.net)]);
  return (
    <section className={page.part} aria-label={i18n._('Lines')}>
      <Table
        heads={[i18n._('Product'), i18n._('Quantity'), i18n._('Price'), i18n._('Total')]}
        numbersFrom={1}
        foot={sums.map(([label, amount]) => (
          <tr key={label}>
            <td colSpan={3}>{label}</td>
            <td className={page.number}>{amount}</td>
          </tr>
        ))}
      >
        {order.lines.map((line) => (
          <tr key={line.lineId}>
            <td>
              {line.productId ? (
                <Anchor component="button" size="sm" fw={500} onClick={() => onOpenProduct(line.productId)}>
                  {line.name}
                </Anchor>
              ) : (
                <Text span size="sm" fw={500}>
                  {line.name}
                </Text>
              )}{' '}
              {line.returned && <Badge color="gray">{i18n._('Came back')}</Badge>}
              <Text size="xs" c="dimmed">
                {[line.label, line.sku].filter(Boolean).join(' · ')}
              </Text>
              {(line.discount.amount > 0 || line.note) && (
                <Text size="xs">
                  {[
                    line.discount.amount > 0 && i18n._('{amount} off', { amount: formatMoney(line.discount) }),
                    line.discountReason,
                    line.note && `“${line.note}”`,
                  ]
                    .filter(Boolean)
                    .join(' · ')}
                </Text>
              )}
            </td>
            <td className={page.number}>{line.quantity}</td>
            <td className={page.number}>{formatMoney(line.price)}</td>
            <td className={page.number}>{formatMoney(line.total)}</td>
          </tr>
        ))}
      </Table>
    </section>
  );
}
