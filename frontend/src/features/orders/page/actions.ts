import type { CapabilityName } from '../../../bridge/capabilities';
import { type ManifestEntry, refusal } from '../../../bridge/manifest';
import { i18n } from '../../../language/i18n';
import type { OrderStatus } from '../../../shop/vocabulary';

/** One action on one order, as the application lists it. */
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
  if (here && !here.available) return here.reason ?? i18n._('Not possible for this order.');
  return refusal(entry);
}

/** The actions on an order with their labels, in the sequence of an order's life. */
export const orderActions = {
  'order.process': i18n._('Mark as packed'),
  'order.fulfil': i18n._('Record a parcel'),
  'order.deliver': i18n._('Mark as delivered'),
  'order.receiveReturn': i18n._('Receive the return'),
  'order.receiveExchange': i18n._('Receive the exchange'),
  'order.changeAddress': i18n._('Change address'),
  'order.changePayment': i18n._('Change payment'),
  'order.changeItems': i18n._('Change items'),
  'order.return': i18n._('Return'),
  'order.exchange': i18n._('Exchange'),
  'order.addNote': i18n._('Add a note'),
  'cart.fromOrder': i18n._('Order again'),
  'order.cancel': i18n._('Cancel order'),
} as const satisfies Partial<Record<CapabilityName, string>>;

/** One of the things that can be done with an order. */
export type ActionName = keyof typeof orderActions;

/** The keys of those that a customer waits for; what is received has the key of what it follows. */
export const actionKeys: Partial<Record<ActionName, string>> = {
  'order.return': 'F4',
  'order.receiveReturn': 'F4',
  'order.exchange': 'F5',
  'order.receiveExchange': 'F5',
};

export const actionNames = Object.keys(orderActions) as ActionName[];

/** The actions that move an order forward; the first possible one is its next step. */
const onward: readonly ActionName[] = [
  'order.receiveReturn',
  'order.receiveExchange',
  'order.process',
  'order.deliver',
];

/** What is often done with an order beside its next step, by its state. */
const frequent: Readonly<Record<OrderStatus, readonly ActionName[]>> = {
  pending: ['order.changeItems', 'order.changeAddress', 'order.cancel'],
  processed: ['order.fulfil', 'order.addNote'],
  delivered: ['order.return', 'order.exchange', 'order.addNote'],
  cancelled: ['order.addNote'],
};

/** Why each action is not possible; undefined for one that is. */
export type Reasons = Readonly<Record<ActionName, string | undefined>>;

/** The actions as they are offered. */
interface Arranged {
  /** What brings the order on. */
  next: ActionName | undefined;
  often: ActionName[];
  seldom: ActionName[];
  impossible: ActionName[];
}

/** Arranges the actions: the next step, a few others beside it, the rest behind "More", what is not possible last. */
export function arranged(status: OrderStatus, reasons: Reasons): Arranged {
  const possible = (name: ActionName) => reasons[name] === undefined;
  const next = onward.find(possible);
  const often = frequent[status].filter((name) => possible(name) && name !== next);
  return {
    next,
    often,
    seldom: actionNames.filter((name) => possible(name) && name !== next && !often.includes(name)),
    impossible: actionNames.filter((name) => !possible(name)),
  };
}
