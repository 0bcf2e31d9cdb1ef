import type { Domain } from '../kit/domain';
import { i18n } from '../language/i18n';
import { useCurrency } from './currency';
import { useGoodsIn } from './goods';
import { customerAmong, useCustomerIn, usePeople } from './people';
import { roleText, vocabulary } from './vocabulary';
import { personalFieldsText } from './whatLeaves';

/** What the kit is told about the shop. */
export const shop: Domain = {
  vocabulary,
  roleText,
  usePeople,
  useSubjectNames: ({ arguments: values, facts, rows }) => {
    const told = facts && 'customerId' in facts && facts.customerId ? facts : customerAmong(values);
    const customer = useCustomerIn(told);
    return { ...useGoodsIn(facts, rows), ...customer };
  },
  useCurrency,
  personalFieldsText,
  introText: i18n._(
    'For example: “Add two bags of the Guji to Ana’s cart.” Looking things up needs no question; whatever cannot be taken back is shown to you first.',
  ),
  distinguishing: ['text', 'sku', 'email'],
  withoutNotice: ['cart'],
};
