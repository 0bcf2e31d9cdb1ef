import { Modal, Text, VisuallyHidden } from '@mantine/core';
import { useEffect, useRef } from 'react';
import type { ApprovalCard as Card } from '../../bridge/approval';
import { i18n } from '../../language/i18n';
import { translateFromGo } from '../../language/translateFromGo';
import { useClient } from '../../queries/BusProvider';
import { keyText } from '../../ui/keys/keyed';
import { KeyLayer, useKeys } from '../../ui/keys/useKeys';
import { ApprovalCard } from './ApprovalCard';
import classes from './Approvals.module.css';
import { type FieldsOf, isByHand, isOwn } from './cards';
import { useCards } from './useCards';
import { useSaidCard } from './useSaidCard';

const ABOVE_DIALOGS = 300;

interface ApprovalsProps {
  Fields: FieldsOf;
  /** Another number is another wish to go there. */
  goThere?: number;
  /** Whether the conversation is open beside the cards. */
  talking?: boolean;
}

/** The open approval cards; F8 moves the focus there, Shift+F8 allows one. `Fields` edits the arguments of a card. */
export function Approvals({ Fields, goThere, talking }: ApprovalsProps) {
  const open = useCards();
  return (
    <>
      <OwnCard card={open.find(isOwn)} />
      <Waiting cards={open.filter((card) => !isOwn(card))} {...{ Fields, goThere, talking }} />
    </>
  );
}

/** The cards of the assistant, beside the page. */
function Waiting({ cards, Fields, goThere, talking }: ApprovalsProps & { cards: readonly Card[] }) {
  const region = useRef<HTMLElement>(null);
  const go = () => toDeny(region.current);
  const allow = () => {
    const only = talking && cards.length === 1 ? region.current?.querySelector<HTMLElement>('[data-allow]') : undefined;
    if (only) only.click();
    else go();
  };
  useKeys(
    cards.length > 0
      ? {
          F8: { does: i18n._('Go to the question that waits for you'), act: go },
          'Shift+F8': {
            does: i18n._('Allow it once: the one with the focus, or the only one beside the open assistant'),
            act: allow,
          },
        }
      : {},
  );
  useEffect(() => {
    if (goThere) toDeny(region.current);
  }, [goThere]);

  const latest = cards.at(-1);
  if (!latest) return null;
  return (
    <section ref={region} aria-label={i18n._('Waiting for your answer')} className={classes.region}>
      <div className={classes.bar} data-key={keyText('F8')}>
        <Text size="xs" fw={600}>
          {i18n._('{count, plural, one {Waiting for your answer} other {# questions wait for your answer}}', {
            count: cards.length,
          })}
        </Text>
      </div>
      <VisuallyHidden role="alert">
        <Sentence card={latest} />
      </VisuallyHidden>
      <div className={classes.cards}>
        {cards.map((card) => (
          <ApprovalCard key={card.approval_id} card={card} Fields={Fields} />
        ))}
      </div>
    </section>
  );
}

function Sentence({ card }: { card: Card }) {
  return useSaidCard(card).said.sentence;
}

/** Moves the focus to Deny of the first card: what is pressed unseen allows nothing, and opens no record. */
function toDeny(region: HTMLElement | null): void {
  region?.querySelector<HTMLElement>('[data-deny]')?.focus();
}

/** The card of a call that the person made by hand: above everything, since they wait for it. */
function OwnCard({ card }: { card: Card | undefined }) {
  const client = useClient();
  if (!card) return null;
  const leave = () => client.decide({ approval_id: card.approval_id, answer: 'deny' }).catch(() => undefined); // answered already
  return (
    <KeyLayer kind="card" onEscape={leave}>
      <Modal
        opened
        onClose={() => undefined}
        title={isByHand(card) ? translateFromGo(card.title) : i18n._('Waiting for an answer')}
        size="lg"
        zIndex={ABOVE_DIALOGS}
        withCloseButton={false}
        closeOnClickOutside={false}
        closeOnEscape={false}
        classNames={{ content: classes.dialog, body: classes.own }}
      >
        <ApprovalCard key={card.approval_id} card={card} />
      </Modal>
    </KeyLayer>
  );
}
