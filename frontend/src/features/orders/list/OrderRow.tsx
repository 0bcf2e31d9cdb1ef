import type { Response } from '../../../bridge/capabilities';
import { formatMoney, formatTime } from '../../../language/format';
import { i18n } from '../../../language/i18n';
import { StatusBadge } from '../../../shop/StatusBadge';
import { cell } from '../../../ui/list/cells';
import row from '../../../ui/list/Row.module.css';
import classes from '../Orders.module.css';

/** One order as a list of them has it. */
export type ListedOrder = Response<'order.search'>['orders'][number];

/** One order in the list. */
export function OrderRow({ order }: { order: ListedOrder }) {
  return (
    <div className={classes.row}>
      <span {...cell} className={`${row.cell} ${row.strong} ${row.figure}`}>
        {order.id}
      </span>
      <span {...cell} className={row.cell}>
        {order.customer?.name ?? <span className={row.minor}>{i18n._('Walk-in')}</span>}{' '}
        <span className={row.minor}>{order.items}</span>
      </span>
      <span {...cell} className={row.cell}>
        <StatusBadge status={order.status} />
      </span>
      <span {...cell} className={`${row.cell} ${row.minor}`}>
        {formatTime(order.placedAt)}
      </span>
      <span {...cell} className={`${row.cell} ${row.figure} ${row.end}`}>
        {formatMoney(order.total)}
      </span>
    </div>
  );
}
