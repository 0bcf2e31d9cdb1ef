import { Modal } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useClient } from '../../asking/BusProvider';
import type { ApprovalCard as Card } from '../../door/approval';
import { i18n } from '../../language/i18n';
import { ApprovalCard } from './ApprovalCard';
import classes from './Approvals.module.css';

const ABOVE_DIALOGS = 300;

/** What the person asked for by hand and is asked about: above everything, since they wait for it. */
export function OwnCard({ card }: { card: Card | undefined }) {
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
