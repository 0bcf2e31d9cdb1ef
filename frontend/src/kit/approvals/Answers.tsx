import { Anchor } from '@mantine/core';
import { type RefObject, useEffect, useState } from 'react';
import type { ApprovalCard } from '../../door/approval';
import { i18n } from '../../language/i18n';
import { later } from '../../ui/window/lazyPart';
import { Answer } from './Answer';
import classes from './Approvals.module.css';
import { type FieldsOf, isOwn, REQUEST, usedValues } from './cards';
import { EditPanel } from './EditPanel';
import type { Decision } from './useDecision';

const GrantPanel = later(
  () => import('./GrantPanel'),
  () => i18n._('Opening'),
);

interface AnswersProps {
  card: ApprovalCard;
  names: Readonly<Record<string, string>>;
  Fields?: FieldsOf;
  decide: Decision;
  deny: RefObject<HTMLButtonElement | null>;
}

/** The ways to answer a card: no, yes, yes with other values, and yes from now on. */
export function Answers({ card, names, Fields, decide, deny }: AnswersProps) {
  const [way, setWay] = useState<'plain' | 'edit' | 'grant' | 'back'>('plain');
  const to = (next: typeof way) => {
    decide.reset();
    setWay(next);
  };
  const back = () => to('back');
  useEffect(() => {
    if (way === 'back') deny.current?.focus({ preventScroll: true });
  }, [way, deny]);
  const plain = isOwn(card) || card.approvers !== undefined; // it is asked for by hand, or takes a PIN
  const asksForGrant = card.capability === REQUEST; // it may get less than it asks for
  const offered = plain ? undefined : asksForGrant ? usedValues(card.arguments) : card.grant;
  const editable = Fields && !plain && !asksForGrant && !card.steps && card.arguments.length > 0;

  if (way === 'edit' && Fields) return <EditPanel {...{ card, names, Fields, decide }} onBack={back} />;
  if (way === 'grant' && offered) {
    return <GrantPanel {...{ card, names, offered, decide }} onBack={back} />;
  }
  return (
    <Answer {...{ card, decide, deny }}>
      {(editable || offered) && (
        <div className={classes.others}>
          {editable && (
            <Anchor component="button" type="button" size="xs" onClick={() => to('edit')}>
              {i18n._('Change the values…')}
            </Anchor>
          )}
          {offered && (
            <Anchor component="button" type="button" size="xs" onClick={() => to('grant')}>
              {asksForGrant ? i18n._('Change the bounds…') : i18n._('Allow and don’t ask again for this…')}
            </Anchor>
          )}
        </div>
      )}
    </Answer>
  );
}
