import { Kbd, Text, VisuallyHidden } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';
import { useClient } from '../../asking/BusProvider';
import type { ApprovalCard as Card } from '../../door/approval';
import { i18n } from '../../language/i18n';
import { ApprovalCard } from './ApprovalCard';
import classes from './Approvals.module.css';
import { applyEvent, type FieldsOf, isOwn, noCards } from './cards';
import { OwnCard } from './OwnCard';

interface ApprovalsProps {
  Fields: FieldsOf;
  /** Another number is another wish to go there. */
  goThere?: number;
}

/** What waits for the person's answer; nothing when nothing does. F8 goes there. Fields are what its values are changed in. */
export function Approvals({ Fields, goThere }: ApprovalsProps) {
  const client = useClient();
  const [{ open }, setCards] = useState(noCards);
  useEffect(() => client.on('approval', (event) => setCards((cards) => applyEvent(cards, event))), [client]);
  return (
    <>
      <OwnCard card={open.find(isOwn)} />
      <Waiting cards={open.filter((card) => !isOwn(card))} {...{ Fields, goThere }} />
    </>
  );
}

/** The cards of the assistant, beside the page. */
function Waiting({ cards, Fields, goThere }: ApprovalsProps & { cards: readonly Card[] }) {
  const region = useRef<HTMLElement>(null);
  const go = () => region.current?.querySelector('button')?.focus();
  useHotkeys(cards.length > 0 ? [['F8', go]] : [], []);
  useEffect(() => {
    if (goThere) region.current?.querySelector('button')?.focus();
  }, [goThere]);

  if (cards.length === 0) return null;
  return (
    <section ref={region} aria-label={i18n._('Waiting for your answer')} className={classes.region}>
      <div className={classes.bar}>
        <Text size="xs" fw={600}>
          {i18n._('{count, plural, one {Waiting for your answer} other {# questions wait for your answer}}', {
            count: cards.length,
          })}
        </Text>
        <Kbd>F8</Kbd>
      </div>
      <VisuallyHidden role="alert">{cards.at(-1)?.sentence}</VisuallyHidden>
      <div className={classes.cards}>
        {cards.map((card) => (
          <ApprovalCard key={card.approval_id} card={card} Fields={Fields} />
        ))}
      </div>
    </section>
  );
}
