import { Text } from '@mantine/core';
import type { Response } from '../../bus/client';
import { formatMoney } from '../../ui/format';
import classes from './Orders.module.css';

/** What was bought, and what it came to. */
export function OrderLines({ order }: { order: Response<'order.get'> }) {
  const sums = [
    ['Subtotal', order.subtotal],
    ...(order.discount.amount === 0 ? [] : ([['Discount', order.discount]] as const)),
    ['Shipping', order.shipping],
    ['Tax', order.tax],
    ['Total', order.total],
  ] as const;
  return (
    <section className={classes.part} aria-label="Lines">
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">Product</th>
            <th scope="col" className={classes.number}>
              Quantity
            </th>
            <th scope="col" className={classes.number}>
              Price
            </th>
            <th scope="col" className={classes.number}>
              Total
            </th>
          </tr>
        </thead>
        <tbody>
          {order.lines.map((line) => (
            <tr key={line.variantId}>
              <td>
                <Text fw={500}>{line.name}</Text>
                <Text size="xs" c="dimmed">
                  {[line.label, line.sku].filter(Boolean).join(' · ')}
                </Text>
              </td>
              <td className={classes.number}>{line.quantity}</td>
              <td className={classes.number}>{formatMoney(line.price)}</td>
              <td className={classes.number}>{formatMoney(line.total)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          {sums.map(([label, amount]) => (
            <tr key={label}>
              <td colSpan={3}>{label}</td>
              <td className={classes.number}>{formatMoney(amount)}</td>
            </tr>
          ))}
        </tfoot>
      </table>
    </section>
  );
}
