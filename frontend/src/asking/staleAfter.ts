import type { CapabilityName } from '../door/capabilities';

type Prefix<N extends string> = N extends `${infer P}.${string}` ? P : never;

/**
 * Which domains an answer is made of, by the first part of the capability's
 * name: a change in one of them makes the answer stale. A capability without a
 * line here does not compile.
 */
const madeOf: Record<Prefix<CapabilityName>, readonly string[]> = {
  agent: [],
  approval: [],
  capability: [],
  document: [],
  entity: ['catalog', 'customer', 'order', 'staff', 'settings', 'grant'],
  grant: ['grant'],
  plan: [],
  policy: ['policy'],
  navigation: [],
  modal: [],
  theme: [],
  language: [],
  tour: ['tour'],
  session: ['session', 'lock', 'staff', 'settings'],
  search: ['catalog', 'customer', 'order'],
  catalog: ['catalog'],
  customer: ['customer', 'order'],
  cart: ['cart', 'customer', 'catalog'],
  checkout: [],
  order: ['order', 'customer'],
  settings: ['settings'],
  report: ['order', 'catalog'],
  staff: ['staff'],
  shop: [],
  audit: [],
  data: [],
  assistant: ['assistant', 'settings'],
  conversation: ['conversation'],
  email: [],
  webhook: [],
};

/** Reports whether a change in a domain makes a capability's answer stale; a new shop makes every answer stale. */
export function isStaleAfter(capability: string, domain: string): boolean {
  const prefix = capability.slice(0, capability.indexOf('.'));
  const domains: readonly string[] | undefined = (madeOf as Record<string, readonly string[]>)[prefix];
  return domains === undefined || domain === 'shop' || domains.includes(domain);
}
