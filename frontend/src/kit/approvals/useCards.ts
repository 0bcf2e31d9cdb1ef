import { useEffect, useState } from 'react';
import type { ApprovalCard } from '../../bridge/approval';
import { useClient } from '../../queries/BusProvider';
import { applyEvent, applyRead, noCards } from './cards';

/**
 * The open cards of the person at the desk. The application owns them: the page reads them when this part is mounted,
 * when another person signs in and when it missed events; in between, events open and close cards.
 */
export function useCards(): readonly ApprovalCard[] {
  const client = useClient();
  const [{ open }, setCards] = useState(noCards);
  useEffect(() => {
    let cards = noCards;
    let reads = 0;
    const set = (next: typeof cards) => {
      cards = next;
      setCards(next);
    };
    const read = async () => {
      reads += 1;
      const [mine, before] = [reads, cards];
      const listed = await client.cards();
      if (mine === reads) set(applyRead(cards, listed, before));
    };
    const tryRead = () => void read().catch(() => undefined); // no person is signed in, and a sign-in is an event
    const leave = [
      client.on('approval', (event) => set(applyEvent(cards, event))),
      client.on('bus', (event) => {
        const another = event.type === 'stateChange' && event.domain === 'session';
        if (another) set({ ...cards, open: [] });
        if (another || event.type === 'missed') tryRead();
      }),
    ];
    tryRead();
    return () => {
      reads += 1;
      for (const one of leave) one();
    };
  }, [client]);
  return open;
}
