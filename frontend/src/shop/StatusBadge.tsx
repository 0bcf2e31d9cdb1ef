import { IconCheck, IconClock, IconPackage, IconX } from '@tabler/icons-react';
import { Badge } from '../ui/page/Badge';
import { type OrderStatus, orderStatuses, statusColors } from './vocabulary';

/** A picture of each state, for who does not tell the colours apart. */
const icons = { pending: IconClock, processed: IconPackage, delivered: IconCheck, cancelled: IconX };

/** The status of an order. */
export function StatusBadge({ status }: { status: OrderStatus }) {
  const Icon = icons[status];
  return (
    <Badge color={statusColors[status]}>
      <Icon size={12} aria-hidden /> {orderStatuses[status]}
    </Badge>
  );
}
