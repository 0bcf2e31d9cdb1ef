import { Text } from '@mantine/core';
import { formatMoney } from '../../ui/format';
import classes from './Counter.module.css';
import type { Offer } from './search';

/** One variant in the search results. */
export function OfferRow({ offer: { product, variant } }: { offer: Offer }) {
  return (
    <div className={classes.offer}>
      <Text truncate c={variant.available ? undefined : 'dimmed'}>
        <span className={classes.name}>{product.name}</span>{' '}
        <Text span size="xs" c="dimmed">
          {variant.label}
        </Text>
      </Text>
      <Text size="xs" c="dimmed" truncate>
        {variant.sku}
      </Text>
      <Text size="xs" c="dimmed" ta="right">
        {stockText(variant)}
      </Text>
      <Text className={classes.amount}>{formatMoney(variant.price)}</Text>
    </div>
  );
}

function stockText({ available, withdrawn, stock }: Offer['variant']): string {
  if (!available) return withdrawn ? 'not for sale' : 'not available';
  if (stock === undefined) return '';
  return stock > 0 ? `${stock} in stock` : 'sold ahead';
}
