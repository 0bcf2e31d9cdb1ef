import { Button, Text } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { i18n } from '../../language/i18n';
import { useClient } from '../../queries/BusProvider';
import { useCapability } from '../../queries/useCapability';
import { useInvoke } from '../../queries/useInvoke';
import { useEntry, useManifest } from '../../queries/useManifest';
import type { Place } from '../../shop/navigation';
import { IconAction } from '../../ui/form/IconAction';
import { StepList } from './StepList';
import classes from './Tour.module.css';
import { doneBy, hear, inTheWay, runningOf, type Step, type Tour } from './tour';

interface TourBarProps {
  place: Place;
  onGo: (place: Place) => void;
}

/** Above the page: the current step of a tour, or the offer of one to a new person. */
export function TourBar({ place, onGo }: TourBarProps) {
  const { offer, running, mark, start, leave } = useTour();
  if (running) {
    const { tour, step, at } = running;
    return (
      <Taken
        {...{ tour, step, at, place, onGo }}
        onSkip={() => mark({ tour: tour.id, step: step.id, as: 'skipped' })}
        onLeave={() => leave({ tour: tour.id })}
      />
    );
  }
  if (!offer) return null;
  return (
    <section className={classes.bar} aria-label={i18n._('Tour')}>
      <div className={classes.words}>
        <Text fw={600}>{offer.title}</Text>
        <Text size="xs" c="dimmed">
          {offer.about}{' '}
          {i18n._('{count, plural, one {# step} other {# steps}}, and you can leave at any time.', {
            count: offer.steps.length,
          })}
        </Text>
      </div>
      <div className={classes.actions}>
        <Button variant="default" onClick={() => leave({ tour: offer.id })}>
          {i18n._('Not now')}
        </Button>
        <Button onClick={() => start({ tour: offer.id })}>{i18n._('Begin')}</Button>
      </div>
    </section>
  );
}

interface TakenProps extends TourBarProps {
  tour: Tour;
  step: Step;
  /** Which of the steps it is, from 0. */
  at: number;
  onSkip: () => void;
  onLeave: () => void;
}

function Taken({ tour, step, at, place, onGo, onSkip, onLeave }: TakenProps) {
  const reason = inTheWay(useManifest(), step);
  const here = place.page === step.page && (!step.pageId || place.id === step.pageId);
  return (
    <section className={classes.bar} aria-label={i18n._('Tour')}>
      <StepList tour={tour} at={at} />
      <div className={classes.words} aria-live="polite">
        <Text fw={600}>{step.title}</Text>
        <Text size="xs" c="dimmed" className={classes.about}>
          {step.text}
        </Text>
        {reason && (
          <Text size="xs" className={classes.reason}>
            {i18n._('Not yet: {reason}', { reason })}
          </Text>
        )}
      </div>
      <div className={classes.actions}>
        {!here && <Button onClick={() => onGo({ page: step.page, id: step.pageId })}>{i18n._('Show me where')}</Button>}
        <Button variant="default" onClick={onSkip}>
          {i18n._('Skip')}
        </Button>
        <IconAction label={i18n._('Leave the tour')} onClick={onLeave}>
          <IconX size={16} aria-hidden />
        </IconAction>
      </div>
    </section>
  );
}

const source = 'Tour';

/** The tours of the person at the desk. The steps of the current one are ticked off by events. */
function useTour() {
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
