import { Anchor, Text } from '@mantine/core';
import type { Response } from '../../../bridge/capabilities';
import { formatMoney } from '../../../language/format';
import { i18n } from '../../../language/i18n';
import { type Sum, sumsOf } from '../../../shop/sums';
import { Badge } from '../../../ui/page/Badge';
import page from '../../../ui/page/Page.module.css';

interface OrderLinesProps {
  order: Response<'order.get'>;
  onOpenProduct: (productId: string) => void;
}

/** The lines of an order and their sums. */
export function OrderLines({ order, onOpenProduct }: OrderLinesProps) {
  const sums: Sum[] = [...sumsOf(order), [i18n._('Total'), formatMoney(order.total)]];
  if (order.refunded && order.net)
    sums.push([i18n._('Refunded'), `−${formatMoney(order.refunded)}`], [i18n._('Net'), formatMoney(order.net)]);
  return (
    <section className={page.part} aria-label={i18n._('Lines')}>
      <table className={page.table}>
        <thead>
          <tr>
            <th scope="col">{i18n._('Product')}</th>
            <th scope="col" className={page.number}>
              {i18n._('Quantity')}
            </th>
            <th scope="col" className={page.number}>
              {i18n._('Price')}
            </th>
            <th scope="col" className={page.number}>
              {i18n._('Total')}
            </th>
          </tr>
        </thead>
        <tbody>
          {order.lines.map((line) => (
            <tr key={line.variantId}>
              <td>
                <Anchor component="button" size="sm" fw={500} onClick={() => onOpenProduct(line.productId)}>
                  {line.name}
                </Anchor>{' '}
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
        </tbody>
        <tfoot>
          {sums.map(([label, amount]) => (
            <tr key={label}>
              <td colSpan={3}>{label}</td>
              <td className={page.number}>{amount}</td>
            </tr>
          ))}
        </tfoot>
      </table>
    </section>
  );
}
