import type { Response } from '../../bridge/capabilities';
import { formatMoney } from '../../language/format';
import { i18n } from '../../language/i18n';
import classes from './Counter.module.css';

type Sums = Pick<Response<'cart.getSummary'>, 'subtotal' | 'discount' | 'discountReason' | 'shipping' | 'tax'>;

/** The parts of the total; a discount only when there is one. */
export function Totals({ cart }: { cart: Sums }) {
  return (
    <dl className={classes.totals}>
      <dt>{i18n._('Subtotal')}</dt>
      <dd>{formatMoney(cart.subtotal)}</dd>
      {cart.discount.amount !== 0 && (
        <>
          <dt style={{ overflowWrap: 'anywhere' }}>
            {[i18n._('Discount'), cart.discountReason].filter(Boolean).join(' · ')}
          </dt>
          <dd>−{formatMoney(cart.discount)}</dd>
        </>
      )}
      <dt>{i18n._('Shipping')}</dt>
      <dd>{formatMoney(cart.shipping)}</dd>
      <dt>{i18n._('Tax')}</dt>
      <dd>{formatMoney(cart.tax)}</dd>
    </dl>
  );
}
