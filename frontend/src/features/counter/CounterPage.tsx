import { VisuallyHidden } from '@mantine/core';
import { CartPanel } from './CartPanel';
import classes from './Counter.module.css';
import { ProductSearch } from './ProductSearch';

/** The counter: what there is on the left, what is being bought on the right. */
export function CounterPage({ onOpenOrder }: { onOpenOrder: (orderId: string) => void }) {
  return (
    <div className={classes.page}>
      <VisuallyHidden component="h1">Counter</VisuallyHidden>
      <ProductSearch />
      <CartPanel onOpenOrder={onOpenOrder} />
    </div>
  );
}
