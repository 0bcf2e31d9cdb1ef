import type { CapabilityName } from '../../bus/client';
import { type ManifestEntry, refusal } from '../../bus/manifest';

/** What the application says about one action on one order. */
interface OrderAction {
  capability: string;
  available: boolean;
  reason?: string;
}

/** Why an action cannot be used on this order now; undefined when it can. */
export function actionReason(
  capability: string,
  entry: ManifestEntry | undefined,
  actions: readonly OrderAction[] | undefined,
): string | undefined {
  if (!entry) return refusal(entry);
  const here = actions?.find((action) => action.capability === capability);
  if (here && !here.available) return here.reason ?? 'Not possible for this order.';
  return refusal(entry);
}

/** What can be done with an order, and what the button says; in the order an order lives. */
export const orderActions = {
  'order.process': 'Mark as packed',
  'order.fulfil': 'Record a parcel',
  'order.deliver': 'Mark as delivered',
  'order.receiveReturn': 'Receive the return',
  'order.receiveExchange': 'Receive the exchange',
  'order.changeAddress': 'Change address',
  'order.changePayment': 'Change payment',
  'order.changeItems': 'Change items',
  'order.return': 'Return items',
  'order.exchange': 'Exchange items',
  'order.addNote': 'Add a note',
  'order.cancel': 'Cancel order',
} as const satisfies Partial<Record<CapabilityName, string>>;

/** One of the things that can be done with an order. */
export type ActionName = keyof typeof orderActions;

export const actionNames = Object.keys(orderActions) as ActionName[];

/** What brings an order on; the first of them that is possible is most likely what is wanted. */
const onward: readonly ActionName[] = [
  'order.receiveReturn',
  'order.receiveExchange',
  'order.process',
  'order.deliver',
];

/** The action to offer first, given why each one is not possible. */
export function likeliest(reasons: Readonly<Record<ActionName, string | undefined>>): ActionName | undefined {
  return onward.find((name) => reasons[name] === undefined);
}
