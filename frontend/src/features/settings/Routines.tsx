import { Text } from '@mantine/core';
import { useState } from 'react';
import { CapabilityButton } from '../../kit/actions/CapabilityButton';
import { usePersonNames } from '../../kit/domain';
import { asks, type Routine, RUN, useRunRoutine } from '../../kit/routines/useRoutines';
import { formatDate, formatWeekdays } from '../../language/format';
import { i18n } from '../../language/i18n';
import { translateFromGo } from '../../language/translateFromGo';
import { useCapability } from '../../queries/useCapability';
import { useRefusal } from '../../queries/useManifest';
import { ActionButton } from '../../ui/form/ActionButton';
import { Empty } from '../../ui/page/Note';
import { Part } from '../../ui/page/Page';
import page from '../../ui/page/Page.module.css';
import { Reading } from '../../ui/page/Reading';
import { lazyPart } from '../../ui/window/lazyPart';

const source = 'Routines';

const RunRoutine = lazyPart(
  () => import('../../kit/routines/RunRoutine'),
  () => i18n._('Opening the form'),
);

/** The saved routines: what each does, who saved it, and the way to run and to remove it. */
export function Routines() {
  const read = useCapability('routine.list', {}, { source });
  const routines = read.data?.routines;
  const nameOf = usePersonNames(routines?.map(({ person }) => person) ?? []);
  const refused = useRefusal(RUN);
  const run = useRunRoutine();
  const [running, setRunning] = useState<Routine>();
  return (
    <Part title={i18n._('Routines')}>
      {!routines && <Reading label={i18n._('Reading the routines')} of={read} />}
      {routines?.length === 0 && (
        <Empty title={i18n._('No routine is saved')}>
          {i18n._('Open what was done in Audit, and save it there as a routine.')}
        </Empty>
      )}
      <ul className={page.rows} aria-label={i18n._('Saved routines')}>
        {routines?.map((routine) => (
          <li key={routine.id}>
            <div className={page.grow}>
              <Text fw={500}>{routine.name}</Text>
              <Text size="xs">{translateFromGo(routine.problem) ?? routine.does.join(' · ')}</Text>
              {routine.at && <Text size="xs">{timeText(routine.at)}</Text>}
              <Text size="xs" c="dimmed">
                {i18n._('Saved by {who} on {day}.', {
                  who: nameOf(routine.person) ?? '',
                  day: formatDate(routine.createdAt),
                })}
              </Text>
            </div>
            <ActionButton
              variant="default"
              disabledReason={translateFromGo(routine.problem) ?? refused}
              onClick={() => (asks(routine) ? setRunning(routine) : run(routine))}
            >
              {asks(routine) ? i18n._('Run…') : i18n._('Run')}
            </ActionButton>
            <CapabilityButton name="routine.remove" args={{ routineId: routine.id }} source={source}>
              {i18n._('Remove')}
            </CapabilityButton>
          </li>
        ))}
      </ul>
      {running && <RunRoutine routine={running} onClose={() => setRunning(undefined)} />}
    </Part>
  );
}

/** When a routine runs by itself. */
function timeText({ time, days }: NonNullable<Routine['at']>): string {
  if (!days) return i18n._('Runs by itself every day at {time}.', { time });
  return i18n._('Runs by itself at {time} on {days}.', { time, days: formatWeekdays(days) });
}
