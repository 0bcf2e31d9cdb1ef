import type { Rule, SideEffect } from '../../../bridge/manifest';
import TriedOut from '../../../kit/grants/TriedOut';

interface TriedRuleProps {
  subject: { capability: string } | { class: SideEffect };
  rule: Rule | undefined;
}

/** What a rule of the owner's would have done in the last weeks. */
export function TriedRule({ subject, rule }: TriedRuleProps) {
  return rule ? <TriedOut of={{ rule: { ...subject, rule } }} source="Settings" /> : null;
}
