import type { Request, Response } from '../../bridge/capabilities';
import type { ManifestEntry } from '../../bridge/manifest';
import { type Amount, formatMoney } from '../../language/format';
import { i18n } from '../../language/i18n';

type Cart = Response<'cart.getSummary'>;
export type Method = Cart['savedPaymentMethods'][number];

interface Choosable {
  id: string;
  default?: boolean;
}

/** The choices for one cart; an absent one was not made, and its default holds. */
export interface Choices {
  addressId?: string;
  methodId?: string;
  giftMessage?: string;
  /** The cash handed over, in minor units; less than nothing while the text is no amount. */
  tendered?: number;
  /** The part of the chosen method, in minor units, and the method for the rest; absent while it pays everything. */
  part?: { amount?: number; restId?: string };
}

/** The part of a cart that a method pays. */
interface Paying {
  method: Method | undefined;
  /** In minor units; undefined while it is open. */
  amount: number | undefined;
}

/** The selected choice: the person's while it is still offered, else the default, else the only one. */
export function selected(choices: readonly Choosable[], chosen: string | undefined): string | undefined {
  if (choices.some((choice) => choice.id === chosen)) return chosen;
  const preset = choices.find((choice) => choice.default) ?? (choices.length === 1 ? choices[0] : undefined);
  return preset?.id;
}

/** What pays a cart: what was chosen while it can be paid by that, else the default. */
export function methodOf({ savedPaymentMethods }: Cart, chosen: string | undefined): Method | undefined {
  const id = selected(savedPaymentMethods, chosen);
  return savedPaymentMethods.find((method) => method.id === id);
}

/** Whether cash pays, which is handed over and may have change. */
export const isCash = (method: Method | undefined): boolean => method?.kind === 'cash';

/** The methods that can pay the rest when one pays a part. */
export const restMethods = ({ savedPaymentMethods }: Cart, method: Method | undefined): Method[] =>
  savedPaymentMethods.filter(({ id }) => id !== method?.id);

/** The payment of a cart: one method, or one and another for the rest. */
export function payingOf(cart: Cart, choices: Choices, method = methodOf(cart, choices.methodId)): Paying[] {
  const { amount: total } = cart.total;
  const { part } = choices;
  if (!part) return [{ method, amount: total }];
  const others = restMethods(cart, method);
  const rest = others.find(({ id }) => id === part.restId) ?? others[0];
  const amount = part.amount !== undefined && part.amount > 0 && part.amount < total ? part.amount : undefined;
  return [
    { method, amount },
    { method: rest, amount: amount === undefined ? undefined : total - amount },
  ];
}

/** The amounts due: all together, and in cash; of a part in cash they are known by a preview of the checkout. */
export interface Due {
  all: Amount;
  cash?: Amount;
  /** The difference to the total by the smallest coin. */
  rounding?: Amount;
}

/** A total as it is paid, with the rounding of cash. */
export const paidTotal = (total: Amount, rounding: Amount | undefined): Amount =>
  rounding ? { amount: total.amount + rounding.amount, currency: total.currency } : total;

/** The amounts due as the application rounds them. */
export function dueOf(cart: Cart, paying: readonly Paying[], preview?: Response<'checkout.submit'>): Due {
  const at = paying.findIndex(({ method }) => isCash(method));
  if (at < 0) return { all: cart.total };
  const rounding = paying.length === 1 ? cart.rounding : preview?.rounding;
  const all = paidTotal(cart.total, rounding);
  return { all, rounding, cash: paying.length === 1 ? all : preview?.payments[at]?.amount };
}

/** The cash to give back; undefined while nothing is handed over, or too little. */
export function changeOf({ cash }: Due, tendered: number | undefined): Amount | undefined {
  if (tendered === undefined || !cash || tendered < cash.amount) return undefined;
  return { amount: tendered - cash.amount, currency: cash.currency };
}

interface Checkout {
  cart: Cart;
  choices: Choices;
  addressId: string | undefined;
  method: Method | undefined;
}

/** Why the order cannot be submitted yet, in the application's words where it has some. */
export function whyNot(
  checkout: Checkout & { entry: ManifestEntry | undefined; preview?: Response<'checkout.submit'> },
): string | undefined {
  const { entry, cart, choices, addressId, method, preview } = checkout;
  if (!entry) return i18n._('You may not submit orders.');
  if (cart.problems[0]) return cart.problems[0];
  if (!entry.available) return entry.unavailable_reason ?? i18n._('Not available now.');
  if (cart.fulfilment === 'deliver' && !addressId) return i18n._('Choose where it goes.');
  if (!method) return i18n._('Choose how it is paid.');
  const paying = payingOf(cart, choices, method);
  if (paying.some(({ amount }) => amount === undefined))
    return i18n._('Enter the amount of this part: less than the total.');
  const due = dueOf(cart, paying, preview);
  if (!due.cash || choices.tendered === undefined || changeOf(due, choices.tendered)) return undefined;
  const { amount, currency } = due.cash;
  const missing = formatMoney({ amount: amount - Math.max(0, choices.tendered), currency });
  return i18n._('{amount} more is due.', { amount: missing });
}

/** The arguments of the submission: its total is the cart's, as the buyer agreed to it. */
export function checkoutArguments(checkout: Checkout): Request<'checkout.submit'> {
  const { cart, choices, addressId, method } = checkout;
  const { amount, currency } = cart.total;
  const sent = cart.fulfilment === 'deliver';
  const paying = payingOf(cart, choices, method);
  const [first, rest] = paying.map(({ method }) => method?.id ?? '');
  const part = { amount: paying[0]?.amount ?? 0, currency };
  return {
    fulfilment: cart.fulfilment,
    shippingAddressId: sent ? addressId : undefined,
    ...(first && rest
      ? { payments: [{ paymentMethodId: first, amount: part }, { paymentMethodId: rest }] }
      : { paymentMethodId: first }),
    giftMessage: (sent && choices.giftMessage?.trim()) || undefined,
    tendered:
      choices.tendered !== undefined && paying.some(({ method }) => isCash(method))
        ? { amount: choices.tendered, currency }
        : undefined,
    expectedTotal: { amount, currency },
  };
}
