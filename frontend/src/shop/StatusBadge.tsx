import { Badge } from '../ui/page/Badge';
import { type OrderStatus, orderStatuses, statusColors } from './vocabulary';

/** How far an order has come. */
export function StatusBadge({ status }: { status: OrderStatus }) {
  return <Badge color={statusColors[status]}>{orderStatuses[status]}</Badge>;
}
