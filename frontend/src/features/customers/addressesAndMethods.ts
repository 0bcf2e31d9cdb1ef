import type { Request, Response } from '../../bridge/capabilities';
import { formatMoney } from '../../language/format';
import { i18n } from '../../language/i18n';
import { own } from '../../language/own';
import { type Address, type AddressPart, addressFields, addressOf } from '../../shop/address';
import { methodKinds } from '../../shop/vocabulary';
import { draftOf } from '../../ui/form/fields';

type Customer = Response<'customer.get'>;

/** An address and a payment method as a customer has them. */
export type SavedAddress = Customer['addresses'][number];
export type SavedMethod = Customer['paymentMethods'][number];

/** A kind of payment method. */
export type MethodKind = Request<'customer.addPaymentMethod'>['kind'];

const kinds: Record<MethodKind, string> = {
  ...methodKinds,
  paypal: 'PayPal',
};

/** Ways to pay that are not saved. */
const others: Record<string, string> = { cash: i18n._('Cash') };

/** The words for a kind; one that is not known reads by its own name. */
export function kindText(kind: string): string {
  return own(kinds, kind) ?? own(others, kind) ?? kind;
}

/** The details of a payment method beside its label. */
export function aboutMethod({ kind, label, balance }: SavedMethod): string {
  const words = [
    kindText(kind) === label ? '' : kindText(kind),
    balance ? i18n._('{amount} left', { amount: formatMoney(balance) }) : '',
  ];
  return words.filter(Boolean).join(' · ');
}

/** A saved address the way it is sent. */
export function sentAgain(saved: SavedAddress): Address {
  const known: Partial<Record<AddressPart, string>> = saved;
  return addressOf(draftOf(addressFields, known));
}

/** A new payment method as it is typed. */
export interface MethodDraft {
  kind: MethodKind;
  brand: string;
  lastFour: string;
  /** Of a gift card, in minor units; undefined while the text is no amount. */
  balance: number | undefined;
  preferred: boolean;
}

/** Why a payment method cannot be added yet. */
export function methodMissing({ kind, brand, lastFour, balance }: MethodDraft): string | undefined {
  if (kind === 'card' && (brand.trim() === '' || lastFour.trim() === ''))
    return i18n._('Fill in: Brand, Last four digits.');
  if (kind === 'giftCard' && balance === undefined) return i18n._('Fill in: Balance.');
  return undefined;
}

/** The new payment method as it is sent: only the fields of its kind. */
export function methodSent(draft: MethodDraft, customerId: string, currency: string) {
  const { kind, brand, lastFour, balance, preferred } = draft;
  const args: Request<'customer.addPaymentMethod'> = { customerId, kind, default: preferred };
  if (kind === 'card') return { ...args, brand: brand.trim(), lastFour: lastFour.trim() };
  if (kind === 'giftCard' && balance !== undefined) return { ...args, balance: { amount: balance, currency } };
  return args;
}
