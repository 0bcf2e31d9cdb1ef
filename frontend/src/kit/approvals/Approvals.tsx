import { Kbd, Modal, Text, VisuallyHidden } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { useEffect, useRef } from 'react';
import type { ApprovalCard as Card } from '../../bridge/approval';
import { i18n } from '../../language/i18n';
import { useClient } from '../../queries/BusProvider';
import { dialogIsOpen } from '../../ui/keys/useKeys';
import { useKept } from '../../ui/window/useKept';
import { ApprovalCard } from './ApprovalCard';
import classes from './Approvals.module.css';
import { ASKED, type FieldsOf, isOwn } from './cards';
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
  const [, keepAsked] = useKept<readonly string[]>(ASKED);
  useEffect(() => keepAsked(open.map(({ request_id }) => request_id)), [open, keepAsked]);
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
  const go = () => !dialogIsOpen() && toDeny(region.current); // Escape below a dialog would close it and deny
  const allow = ({ repeat }: KeyboardEvent) => {
    if (repeat || allowFocused()) return;
    if (talking && cards.length === 1 && !dialogIsOpen()) pressAllow(region.current);
    else go();
  };
  useHotkeys(
    cards.length > 0
      ? [
          ['F8', go],
          [ALLOW, allow],
        ]
      : [],
    [],
  );
  useEffect(() => {
    if (goThere) toDeny(region.current);
  }, [goThere]);

  const latest = cards.at(-1);
  if (!latest) return null;
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

/** The key that allows: no scanner sends it, and nothing is typed by it. */
const ALLOW = 'shift+F8';

function pressAllow(card: Element | null): void {
  card?.querySelector<HTMLElement>('[data-allow]')?.click(); // a card with a PIN or an open panel has none
}

/** Allows the card that has the focus; false when none has. */
function allowFocused(): boolean {
  const card = document.activeElement?.closest('[data-card]') ?? null;
  pressAllow(card);
  return card !== null;
}

/** The card of a call that the person made by hand: above everything, since they wait for it. */
function OwnCard({ card }: { card: Card | undefined }) {
  const client = useClient();
  const open = useRef(card);
  useEffect(() => {
    open.current = card;
  });
  // Dialogs listen for Escape on the window too, but later: what is below stays as it is.
  useEffect(() => {
    const leave = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.isComposing || !open.current) return;
      event.stopImmediatePropagation();
      client.decide({ approval_id: open.current.approval_id, answer: 'deny' }).catch(() => undefined); // answered already
    };
    window.addEventListener('keydown', leave, { capture: true });
    return () => window.removeEventListener('keydown', leave, { capture: true });
  }, [client]);
  useHotkeys(card ? [[ALLOW, ({ repeat }) => repeat || allowFocused()]] : [], []);
  if (!card) return null;
  return (
    <Modal
      opened
      onClose={() => undefined}
      title={i18n._('Waiting for an answer')}
      size="lg"
      zIndex={ABOVE_DIALOGS}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
      classNames={{ content: classes.dialog, body: classes.own }}
    >
      <ApprovalCard key={card.approval_id} card={card} />
    </Modal>
  );
}
