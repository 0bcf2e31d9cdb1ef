import type { Domain } from '../kit/domain';
import { madeOf, sentences } from './answers';
import { useCurrency } from './currency';
import { useOpenLink } from './navigation';
import { useDestinations } from './places';
import { roleText, vocabulary } from './vocabulary';

/** The shop's domain, for the kit. */
export const shop: Domain = {
  ...{ madeOf, sentences, vocabulary },
  roleText,
  people: 'person',
  useCurrency,
  useOpenLink,
  useDestinations,
  distinguishing: ['text', 'sku', 'email'],
  withoutNotice: ['cart'],
};
