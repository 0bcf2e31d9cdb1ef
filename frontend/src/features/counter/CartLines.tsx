import { useEffect, useRef, useState } from 'react';
import type { Response } from '../../bridge/capabilities';
import { CapabilityDialog } from '../../kit/actions/CapabilityDialog';
import { useWhenPossible } from '../../kit/actions/useWhenPossible';
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
  const [priced, setPriced] = useState<string>();
  const line = lines.find(({ lineId }) => lineId === priced);
  const whenPossible = useWhenPossible();
  useKeys({
    F5: { does: i18n._('The quantity of the last line'), act: toQuantity },
    'Shift+F5': {
      does: i18n._('The price of the last line'),
      act: () => whenPossible('cart.setLinePrice', () => setPriced(lines.at(-1)?.lineId)),
    },
  });
  return (
    <div ref={scroller} className={classes.lines}>
      <ul className={classes.list} aria-label={i18n._('In the cart')}>
        {lines.map((one) => (
          <CartLine key={one.lineId} cart={cart} line={one} onPrice={() => setPriced(one.lineId)} />
        ))}
      </ul>
      {line && (
        <CapabilityDialog
          name="cart.setLinePrice"
          source="CartLines"
          about={{ lineId: line.lineId, productId: undefined, variantId: undefined }}
          args={{ price: { currency: line.price.currency } }}
          title={i18n._('Price of {name}', { name: line.name })}
          submit={i18n._('Set the price')}
          onClose={() => setPriced(undefined)}
        />
      )}
    </div>
  );
}
