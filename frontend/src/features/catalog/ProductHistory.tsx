import { Anchor, Text } from '@mantine/core';
import { formatMoney, formatTime } from '../../language/format';
import { i18n } from '../../language/i18n';
import { Part } from '../../ui/page/Page';
import page from '../../ui/page/Page.module.css';
import { Table } from '../../ui/page/Table';
import { type FullProduct, movementText, nameOf, signed } from './product';

/** The last prices, newest first. */
export function PriceHistory({ product }: { product: FullProduct }) {
  return (
    <Part title={i18n._('Prices')}>
      {product.priceChanges.length === 0 && <Text c="dimmed">{i18n._('Never changed.')}</Text>}
      {product.priceChanges.length > 0 && (
        <Table heads={[i18n._('When'), i18n._('Variant'), i18n._('From'), i18n._('To')]} numbersFrom={2}>
          {product.priceChanges.map(({ at, variantId, was, price }) => (
            <tr key={`${at} ${variantId}`}>
              <td className={page.when}>{formatTime(at)}</td>
              <td>{nameOf(product, variantId)}</td>
              <td className={page.number}>{formatMoney(was)}</td>
              <td className={page.number}>{formatMoney(price)}</td>
            </tr>
          ))}
        </Table>
      )}
    </Part>
  );
}

interface StockHistoryProps {
  product: FullProduct;
  onOpenOrder: (orderId: string) => void;
}

/** The last movements of the stock, newest first, each with what moved it. */
export function StockHistory({ product, onOpenOrder }: StockHistoryProps) {
  return (
    <Part title={i18n._('Stock')}>
      {product.stockMovements.length === 0 && <Text c="dimmed">{i18n._('Nothing has moved yet.')}</Text>}
      {product.stockMovements.length > 0 && (
        <Table heads={[i18n._('When'), i18n._('Variant'), i18n._('Why'), i18n._('Pieces')]} numbersFrom={3}>
          {product.stockMovements.map((movement, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: one moment can move a variant twice, and the past has an order
            <tr key={index}>
              <td className={page.when}>{formatTime(movement.at)}</td>
              <td>{nameOf(product, movement.variantId)}</td>
              <td>
                {movementText(movement)}{' '}
                {movement.orderId && (
                  <Anchor component="button" size="sm" onClick={() => onOpenOrder(movement.orderId ?? '')}>
                    {movement.orderId}
                  </Anchor>
                )}
              </td>
              <td className={page.number}>{signed(movement.delta)}</td>
            </tr>
          ))}
        </Table>
      )}
    </Part>
  );
}
