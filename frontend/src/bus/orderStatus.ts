import type { Response } from './client';

/** A state an order can be in. */
export type Status = Response<'order.get'>['status'];

/** All of them, in the order they come. */
export const statuses: readonly Status[] = ['pending', 'processed', 'delivered', 'cancelled'];

const colors: Record<Status, string> = { pending: 'amber', processed: 'pine', delivered: 'pine', cancelled: 'gray' };

/** The theme colour of a state. */
export function statusColor(status: Status): string {
  return colors[status];
}
