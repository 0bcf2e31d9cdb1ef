import type { Domain } from '../kit/domain';
import { madeOf, references, sentences } from './answers';
import { useCurrency } from './currency';
import { useGoodsIn } from './goods';
import { customerAmong, useCustomerIn, usePeople } from './people';
import { roleText, vocabulary } from './vocabulary';

/** The shop's domain, for the kit. */
export const shop: Domain = {
  ...{ madeOf, sentences, references, vocabulary },
  roleText,
  usePeople,
  useSubjectNames: ({ arguments: values, facts, rows }) => {
    const told = facts && 'customerId' in facts && facts.customerId ? facts : customerAmong(values);
    const customer = useCustomerIn(told);
    return { ...useGoodsIn(facts, rows), ...customer };
  },
  useCurrency,
  distinguishing: ['text', 'sku', 'email'],
  withoutNotice: ['cart'],
};
