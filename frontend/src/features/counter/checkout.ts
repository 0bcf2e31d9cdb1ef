import type { Request, Response } from '../../door/capabilities';
import type { ManifestEntry } from '../../door/manifest';
import { type Amount, formatMoney } from '../../language/format';
import { i18n } from '../../language/i18n';

type Cart = Response<'cart.getSummary'>;

interface Choosable {
  id: string;
  default?: boolean;
}

/** The id of cash, which every sale may be paid by. */
export const CASH = 'cash';

/** What a sale at the counter is paid by without a saved method. */
const unsaved = [
  { id: CASH, label: i18n._('Cash') },
  { id: 'card', label: i18n._('Card') },
  { id: 'other', label: i18n._('Other') },
];

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

/** What a cart can be paid by: a delivery by what its customer has saved, or cash; else anything. */
export function methodsOf({ fulfilment, savedPaymentMethods }: Cart): readonly { id: string; label: string }[] {
  if (fulfilment === 'deliver') return savedPaymentMethods;
  const saved = savedPaymentMethods.filter(({ id }) => !unsaved.some((method) => method.id === id));
  return [...unsaved, ...saved];
}

/** What pays a cart: what was chosen, else the customer's default for a delivery, and cash at the counter. */
export function methodOf(cart: Cart, chosen: string | undefined): string | undefined {
  if (cart.fulfilment === 'deliver') return selected(cart.savedPaymentMethods, chosen);
  return methodsOf(cart).some(({ id }) => id === chosen) ? chosen : CASH;
}

/** The cash to give back; undefined while nothing is handed over, or too little. */
export function changeOf({ total }: Cart, { tendered }: Choices): Amount | undefined {
  if (tendered === undefined || tendered < total.amount) return undefined;
  return { amount: tendered - total.amount, currency: total.currency };
}

interface Checkout {
  cart: Cart;
  choices: Choices;
  addressId: string | undefined;
  methodId: string | undefined;
}

/** Why the order cannot be submitted yet, in the application's words where it has some. */
export function whyNot(checkout: Checkout & { entry: ManifestEntry | undefined }): string | undefined {
  const { entry, cart, choices, addressId, methodId } = checkout;
  if (!entry) return i18n._('You may not submit orders.');
  if (cart.problems[0]) return cart.problems[0];
  if (!entry.available) return entry.unavailable_reason ?? i18n._('Not available now.');
  if (cart.fulfilment === 'deliver' && !addressId) return i18n._('Choose where it goes.');
  if (!methodId) return i18n._('Choose how it is paid.');
  if (methodId !== CASH || choices.tendered === undefined || changeOf(cart, choices)) return undefined;
  const { amount, currency } = cart.total;
  const missing = formatMoney({ amount: amount - Math.max(0, choices.tendered), currency });
  return i18n._('{amount} more is due.', { amount: missing });
}

/** What is submitted: the total is that which was agreed. */
export function checkoutArguments(checkout: Checkout & { total: Amount }): Request<'checkout.submit'> {
  const { cart, choices, addressId, methodId, total } = checkout;
  const { amount, currency } = total;
  const sent = cart.fulfilment === 'deliver';
  return {
    fulfilment: cart.fulfilment,
    shippingAddressId: sent ? addressId : undefined,
    paymentMethodId: methodId,
    giftMessage: (sent && choices.giftMessage?.trim()) || undefined,
    tendered: methodId === CASH && choices.tendered !== undefined ? { amount: choices.tendered, currency } : undefined,
    expectedTotal: { amount, currency },
  };
}
