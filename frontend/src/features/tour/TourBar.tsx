import { Button, Text } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { i18n } from '../../language/i18n';
import { useManifest } from '../../queries/useManifest';
import type { Place } from '../../shop/navigation';
import { IconAction } from '../../ui/form/IconAction';
import { StepList } from './StepList';
import classes from './Tour.module.css';
import { inTheWay, type Step, type Tour } from './tour';
import { useTour } from './useTour';

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
