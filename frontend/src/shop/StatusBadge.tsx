import { Badge } from '../ui/page/Badge';
import { type OrderStatus, orderStatuses, statusColors } from './vocabulary';

/** The status of an order. */
export function StatusBadge({ status }: { status: OrderStatus }) {
  return <Badge color={statusColors[status]}>{orderStatuses[status]}</Badge>;
}
