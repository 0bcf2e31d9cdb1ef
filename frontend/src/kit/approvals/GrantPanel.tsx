import { useState } from 'react';
import type { ApprovalCard, GrantTerms } from '../../door/approval';
import { i18n } from '../../language/i18n';
import { BoundsFields } from '../grants/BoundsFields';
import { boundsOf, termsOf } from '../grants/bounds';
import { currencyIn } from '../rows/rows';
import { Panel } from './Panel';
import type { Decision } from './useDecision';

interface GrantPanelProps {
  card: ApprovalCard;
  /** The bounds as they are offered, or as the assistant asks for them. */
  offered: GrantTerms;
  names: Readonly<Record<string, string>>;
  decide: Decision;
  onBack: () => void;
}

/** The bounds in which the same is not asked again; they can be changed before they are given. */
export default function GrantPanel({ card, offered, names, decide, onBack }: GrantPanelProps) {
  const [bounds, setBounds] = useState(() => boundsOf(offered, currencyIn(card.facts)));
  const asksForIt = card.grant === undefined;
  return (
    <Panel
      title={
        asksForIt
          ? i18n._('Narrow the bounds; you see them before anything is given')
          : i18n._('Do this now, and do not ask again within these bounds')
      }
      submit={asksForIt ? i18n._('See it with these bounds') : i18n._('Allow within these bounds')}
      decide={decide}
      onSubmit={() => decide.mutate({ answer: 'grant', grant: termsOf(bounds) as GrantTerms })}
      onBack={onBack}
    >
      <BoundsFields
        {...{ bounds, names, conversation: card.conversation_id }}
        money={bounds.currency !== undefined}
        onChange={setBounds}
      />
    </Panel>
  );
}
