import { useEffect, useRef } from 'react';
import { useClient } from '../../queries/BusProvider';
import { useCapability } from '../../queries/useCapability';
import { useInvoke } from '../../queries/useInvoke';
import { useEntry } from '../../queries/useManifest';
import { doneBy, hear, runningOf } from './tour';

const source = 'Tour';

/** The tours of the person at the desk. The steps of the current one are ticked off by events. */
export function useTour() {
  const client = useClient();
  const enabled = useEntry('tour.get')?.available ?? false;
  const { data: tours } = useCapability('tour.get', {}, { source, enabled });
  const { mutate: mark } = useInvoke('tour.mark', { source });
  const { mutate: start } = useInvoke('tour.start', { source });
  const { mutate: leave } = useInvoke('tour.leave', { source });
  const running = tours && runningOf(tours);

  const latest = useRef(running);
  useEffect(() => {
    latest.current = running;
  });
  useEffect(() => {
    let heard: ReturnType<typeof hear> = [];
    return client.on('bus', (event) => {
      const before = heard;
      heard = hear(heard, event);
      const now = latest.current;
      if (heard === before || !now) return;
      for (const { id } of doneBy(heard, now.tour.steps)) mark({ tour: now.tour.id, step: id, as: 'done' });
    });
  }, [client, mark]);

  return { offer: tours?.tours.find(({ id }) => id === tours.offer), running, mark, start, leave };
}
