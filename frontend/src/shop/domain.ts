import type { Domain } from '../kit/domain';
import { sentences } from './answers';
import { useCurrency } from './currency';
import { useOpenLink } from './navigation';
import { useDestinations } from './places';
import { roleNeeded, roleText, vocabulary } from './vocabulary';

/** The shop's domain, for the kit. */
export const shop: Domain = {
  ...{ sentences, vocabulary },
  runsAfter: { 'checkout.submit': 'cart' },
  beforeOwnNames: ['paid by', 'refund to', 'charged to'],
  roleText,
  roleNeeded,
  people: 'person',
  views: {
    ...{ list: 'view.list', save: 'view.save', remove: 'view.remove' },
    pages: { 'order.search': 'orders', 'customer.search': 'customers', 'catalog.search': 'catalog' },
  },
  useCurrency,
  useOpenLink,
  useDestinations,
  distinguishing: ['text', 'sku', 'email'],
  withoutNotice: ['cart'],
};
