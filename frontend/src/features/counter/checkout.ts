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

/** The cash to give back; undefined while nothing is handed over, or too little. */
export function changeOf({ total }: Cart, { tendered }: Choices): Amount | undefined {
  if (tendered === undefined || tendered < total.amount) return undefined;
  return { amount: tendered - total.amount, currency: total.currency };
}

interface Checkout {
  cart: Cart;
  choices: Choices;
  addressId: string | undefined;
  method: Method | undefined;
}

/** Why the order cannot be submitted yet, in the application's words where it has some. */
export function whyNot(checkout: Checkout & { entry: ManifestEntry | undefined }): string | undefined {
  const { entry, cart, choices, addressId, method } = checkout;
  if (!entry) return i18n._('You may not submit orders.');
  if (cart.problems[0]) return cart.problems[0];
  if (!entry.available) return entry.unavailable_reason ?? i18n._('Not available now.');
  if (cart.fulfilment === 'deliver' && !addressId) return i18n._('Choose where it goes.');
  if (!method) return i18n._('Choose how it is paid.');
  if (!isCash(method) || choices.tendered === undefined || changeOf(cart, choices)) return undefined;
  const { amount, currency } = cart.total;
  const missing = formatMoney({ amount: amount - Math.max(0, choices.tendered), currency });
  return i18n._('{amount} more is due.', { amount: missing });
}

/** The arguments of the submission: its total is the cart's, as the buyer agreed to it. */
export function checkoutArguments(checkout: Checkout): Request<'checkout.submit'> {
  const { cart, choices, addressId, method } = checkout;
  const { amount, currency } = cart.total;
  const sent = cart.fulfilment === 'deliver';
  return {
    fulfilment: cart.fulfilment,
    shippingAddressId: sent ? addressId : undefined,
    paymentMethodId: method?.id,
    giftMessage: (sent && choices.giftMessage?.trim()) || undefined,
    tendered: isCash(method) && choices.tendered !== undefined ? { amount: choices.tendered, currency } : undefined,
    expectedTotal: { amount, currency },
  };
}
