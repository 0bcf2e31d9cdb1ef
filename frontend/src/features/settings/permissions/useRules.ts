import type { Rule, SideEffect } from '../../../bridge/manifest';
import { useCapability } from '../../../queries/useCapability';
import { useInvoke } from '../../../queries/useInvoke';
import { useRefusal } from '../../../queries/useManifest';
import { withRule } from './rules';

const source = { source: 'Settings' };

/** The owner's rules, and how one is changed: all of them are said again each time. */
export function useRules() {
  const policy = useCapability('policy.get', {}, source);
  const set = useInvoke('policy.set', source);
  const refused = useRefusal('policy.set');
  const rules = policy.data?.rules;
  return {
    ...{ policy, rules, refused, error: set.error, pending: set.isPending },
    defaults: policy.data?.defaults ?? [],
    change: (subject: { capability: string } | { class: SideEffect }, rule: Rule | undefined) =>
      rules && set.mutate({ rules: withRule(rules, subject, rule) }),
  };
}
