import { formatMoney } from '../../language/format';
import { i18n } from '../../language/i18n';
import { ProductPicture } from '../../shop/ProductPicture';
import { cell } from '../../ui/list/cells';
import row from '../../ui/list/Row.module.css';
import classes from './Counter.module.css';
import type { Offer } from './search';

/** One variant in the search results. */
export function OfferRow({ offer: { product, variant } }: { offer: Offer }) {
  return (
    <div className={classes.offer}>
      <span {...cell} className={`${row.cell} ${variant.available ? '' : row.dimmed}`}>
        {product.picture && <ProductPicture product={product} />}
        <span className={row.name}>{product.name}</span> <span className={row.minor}>{variant.label}</span>
      </span>
      <span {...cell} className={`${row.cell} ${row.minor}`}>
        {variant.sku}
      </span>
      <span {...cell} className={`${row.cell} ${row.minor} ${row.end}`}>
        {stockText(variant)}
      </span>
      <span {...cell} className={`${row.cell} ${row.figure} ${row.end}`}>
        {formatMoney(variant.price)}
      </span>
    </div>
  );
}

function stockText({ available, withdrawn, stock }: Offer['variant']): string {
  if (!available) return withdrawn ? i18n._('not for sale') : i18n._('not available');
  if (stock === undefined) return '';
  return stock > 0 ? i18n._('{stock, plural, other {# in stock}}', { stock }) : i18n._('sold ahead');
}
