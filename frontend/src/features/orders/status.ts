/** The states an order can be in, in the order they come; the colour says how far it has come. */
export const statuses = ['pending', 'processed', 'delivered', 'cancelled'] as const;

const colors: Record<string, string> = { pending: 'amber', processed: 'pine', delivered: 'pine', cancelled: 'gray' };

/** The theme colour of a state. */
export function statusColor(status: string): string {
  return colors[status] ?? 'gray';
}
