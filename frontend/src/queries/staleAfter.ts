import { own } from '../language/own';

/** The domains that answers are made of, by the first part of a capability's name: cart.getSummary is under cart. */
export type Dependencies = Readonly<Record<string, readonly string[]>>;

/** What the packages' own answers are made of. */
const packages: Dependencies = {
  ...{ agent: [], approval: [], capability: [], plan: [], audit: [], data: [] },
  ...{ assistant: ['assistant'], conversation: ['conversation'], grant: ['grant'], policy: ['policy'] },
};

/**
 * Reports whether a change in a domain makes a capability's answer stale. Of an answer that nothing is declared of any
 * change does: what is asked for again is right, if late.
 */
export function isStaleAfter(capability: string, domain: string, declared: Dependencies = {}): boolean {
  const [category = ''] = capability.split('.');
  const domains = own(declared, category) ?? own(packages, category);
  return domains === undefined || domains.includes(domain);
}
