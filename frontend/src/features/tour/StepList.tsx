import { Button, Popover, Text, VisuallyHidden } from '@mantine/core';
import { IconCheck, IconCircle, IconCircleDot, IconMinus } from '@tabler/icons-react';
import { i18n } from '../../language/i18n';
import classes from './Tour.module.css';
import type { Step, Tour } from './tour';

const marks = {
  open: { Icon: IconCircle, said: i18n._('still to do') },
  done: { Icon: IconCheck, said: i18n._('done') },
  skipped: { Icon: IconMinus, said: i18n._('skipped') },
  now: { Icon: IconCircleDot, said: i18n._('now') },
} as const;

/** How far a tour is, and behind it all of its steps. */
export function StepList({ tour, at }: { tour: Tour; at: number }) {
  return (
    <Popover position="bottom-start" withinPortal={false} shadow="sm" trapFocus withRoles={false}>
      <Popover.Target>
        <Button
          variant="default"
          className={classes.count}
          aria-label={i18n._('{tour}: step {at} of {count}', {
            tour: tour.title,
            at: at + 1,
            count: tour.steps.length,
          })}
        >
          {at + 1} / {tour.steps.length}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Text fw={600} mb="xs">
          {tour.title}
        </Text>
        <ol className={classes.steps}>
          {tour.steps.map((step, index) => (
            <StepLine key={step.id} step={step} now={index === at} />
          ))}
        </ol>
      </Popover.Dropdown>
    </Popover>
  );
}

function StepLine({ step, now }: { step: Step; now: boolean }) {
  const { Icon, said } = marks[now ? 'now' : step.state];
  return (
    <li aria-current={now ? 'step' : undefined}>
      <Icon size={15} aria-hidden />
      <span>
        {step.title} <VisuallyHidden>({said})</VisuallyHidden>
        {now && (
          <Text size="xs" c="dimmed">
            {step.text}
          </Text>
        )}
      </span>
    </li>
  );
}
