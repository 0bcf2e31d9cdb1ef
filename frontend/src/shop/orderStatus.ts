import type { Response } from '../door/capabilities';
import { i18n } from '../language/i18n';
import type { BadgeColor } from '../ui/page/Badge';

/** A state an order can be in. */
export type Status = Response<'order.get'>['status'];

const known: Record<Status, { text: string; color: BadgeColor }> = {
  pending: { text: i18n._('Pending'), color: 'amber' },
  processed: { text: i18n._('Processed'), color: 'pine' },
  delivered: { text: i18n._('Delivered'), color: 'pine' },
  cancelled: { text: i18n._('Cancelled'), color: 'gray' },
};

/** All of them, in the order they come. */
export const statuses: readonly Status[] = ['pending', 'processed', 'delivered', 'cancelled'];

/** The theme colour of a state. */
export function statusColor(status: Status): BadgeColor {
  return known[status].color;
}

/** What a state is called. */
export function statusText(status: Status): string {
  return known[status].text;
}
