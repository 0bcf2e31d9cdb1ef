import { useEffect, useRef } from 'react';
import type { Response } from '../../bridge/capabilities';
import { i18n } from '../../language/i18n';
import { useKeys } from '../../ui/keys/useKeys';
import { CartLine } from './CartLine';
import classes from './Counter.module.css';

/** The lines of the cart; a new line scrolls into view. F5 leads to the quantity of the last, then of the one above. */
export function CartLines({ cart }: { cart: Response<'cart.getSummary'> }) {
  const lines = cart.items;
  const scroller = useRef<HTMLDivElement>(null);
  const count = useRef(lines.length);
  useEffect(() => {
    if (lines.length > count.current) scroller.current?.scrollTo({ top: scroller.current.scrollHeight });
    count.current = lines.length;
  }, [lines.length]);
  const toQuantity = () => {
    const quantities = [...(scroller.current?.querySelectorAll<HTMLInputElement>('li input') ?? [])];
    const at = quantities.indexOf(document.activeElement as HTMLInputElement);
    quantities.at(at < 0 ? -1 : at - 1)?.select();
  };
  useKeys({ F5: toQuantity });
  return (
    <div ref={scroller} className={classes.lines}>
      <ul className={classes.list} aria-label={i18n._('In the cart')}>
        {lines.map((line) => (
          <CartLine key={line.variantId} cart={cart} line={line} />
        ))}
      </ul>
    </div>
  );
}
