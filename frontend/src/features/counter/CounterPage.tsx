import { VisuallyHidden } from '@mantine/core';
import { useRef } from 'react';
import { CartPanel } from './CartPanel';
import classes from './Counter.module.css';
import { ProductSearch } from './ProductSearch';

interface CounterPageProps {
  /** Whether the customer picker is open. */
  picking: boolean;
  onPick: (open: boolean) => void;
  onOpenOrder: (orderId: string) => void;
}

/** The counter: what there is on the left, what is being bought on the right. */
export function CounterPage(props: CounterPageProps) {
  const search = useRef<HTMLInputElement>(null);
  return (
    <div className={classes.page}>
      <VisuallyHidden component="h1">Counter</VisuallyHidden>
      <ProductSearch input={search} />
      <CartPanel {...props} onCustomerChosen={() => search.current?.select()} />
    </div>
  );
}
