import { useEffect, useRef, useState } from 'react';
import type { ApprovalEvent } from '../../bridge/approval';
import { own } from '../../language/own';
import { useClient } from '../../queries/BusProvider';
import { lazyPart } from '../../ui/window/lazyPart';
import { useFreshTrials } from '../grants/useFreshTrials';

const GrantSuggestion = lazyPart(() => import('./GrantSuggestion'));

/** As many equal answers, one after the other, are worth a suggestion. */
const EQUAL = 5;

/** How often each capability was allowed since it was last answered otherwise, with one more answer. */
export function countAnswer(counts: Readonly<Record<string, number>>, event: ApprovalEvent): Record<string, number> {
  const { capability } = event.card;
  if (event.type !== 'closed') return counts;
  return { ...counts, [capability]: event.answer === 'allow' ? (own(counts, capability) ?? 0) + 1 : 0 };
}

/** Suggests a grant after the fifth equal answer, if the log has one. It stands beside the conversation, and back while a card waits. */
export function AllowFromNowOn() {
  const client = useClient();
  useFreshTrials();
  const counts = useRef<Record<string, number>>({});
  const [about, setAbout] = useState<string>();
  useEffect(
    () =>
      client.on('approval', (event) => {
        counts.current = countAnswer(counts.current, event);
        if (event.type === 'closed' && own(counts.current, event.card.capability) === EQUAL)
          setAbout(event.card.capability);
      }),
    [client],
  );
  return about === undefined ? null : <GrantSuggestion capability={about} onDone={() => setAbout(undefined)} />;
}
