import type { Response } from '../../bridge/capabilities';
import { sumsOf } from '../../shop/sums';
import classes from './Counter.module.css';

/** The parts of the total. */
export function Totals({ cart }: { cart: Response<'cart.getSummary'> }) {
  return (
    <dl className={classes.totals}>
      {sumsOf(cart).map(([label, amount]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{amount}</dd>
        </div>
      ))}
    </dl>
  );
}
