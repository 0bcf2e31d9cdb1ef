import { Kbd, Text, VisuallyHidden } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';
import type { ApprovalCard as Card } from '../../bus/approval';
import { useClient } from '../../bus/BusProvider';
import { ApprovalCard } from './ApprovalCard';
import classes from './Approvals.module.css';
import { applyEvent, type FieldsOf, isOwn } from './cards';
import { OwnCard } from './OwnCard';

/** What waits for the person's answer; nothing when nothing does. F8 goes there. Fields are what its values are changed in. */
export function Approvals({ Fields }: { Fields: FieldsOf }) {
  const client = useClient();
  const [cards, setCards] = useState<readonly Card[]>([]);
  useEffect(() => client.on('approval', (event) => setCards((open) => applyEvent(open, event))), [client]);
  return (
    <>
      <OwnCard card={cards.find(isOwn)} />
      <Waiting cards={cards.filter((card) => !isOwn(card))} Fields={Fields} />
    </>
  );
}

/** The cards of the assistant, beside the page. */
function Waiting({ cards, Fields }: { cards: readonly Card[]; Fields: FieldsOf }) {
  const region = useRef<HTMLElement>(null);
  const goThere = () => region.current?.querySelector('button')?.focus();
  useHotkeys(cards.length > 0 ? [['F8', goThere]] : [], []);

  if (cards.length === 0) return null;
  return (
    <section ref={region} aria-label="Waiting for your answer" className={classes.region}>
      <div className={classes.bar}>
        <Text size="xs" fw={600}>
          {cards.length === 1 ? 'Waiting for your answer' : `${cards.length} questions wait for your answer`}
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
