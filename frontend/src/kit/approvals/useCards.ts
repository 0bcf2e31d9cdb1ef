import { useEffect, useState } from 'react';
import { useClient } from '../../asking/BusProvider';
import type { ApprovalCard } from '../../door/approval';
import { applyEvent, applyRead, noCards } from './cards';

/**
 * The open cards of the person at the desk. The application has them: they are read when this part of the page is there,
 * when another person is, and when events were missed; between that events say what opens and closes.
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
    const tryRead = () => void read().catch(() => undefined); // nobody is signed in; who signs in is an event
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
