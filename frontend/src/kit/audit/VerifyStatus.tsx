import { Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import type { Response } from '../../bridge/capabilities';
import { i18n } from '../../language/i18n';
import type { useTask } from '../../queries/useTask';
import { TaskStrip } from '../../ui/page/TaskStrip';
import classes from './Audit.module.css';

type Verdict = Response<'audit.verify'>;

/** The progress of the check of the whole log, and its verdict. */
export function VerifyStatus({ data, ...task }: ReturnType<typeof useTask<'audit.verify'>>) {
  return (
    <TaskStrip
      {...task}
      doing={i18n._('Checking every record')}
      whenStopped={i18n._('Stopped: not every record was checked.')}
    >
      {data && <VerdictText verdict={data} />}
    </TaskStrip>
  );
}

function VerdictText({ verdict: { ok, records, first_bad, segment, problem, remedy, rollups } }: { verdict: Verdict }) {
  if (ok) {
    return (
      <div className={classes.verdict}>
        <IconCircleCheck size={16} aria-hidden className={classes.good} />
        <Text size="sm">{i18n._('All {count, number} records are as they were written.', { count: records })}</Text>
      </div>
    );
  }
  return (
    <div className={classes.verdict}>
      <IconAlertTriangle size={16} aria-hidden className={classes.bad} />
      <Text size="sm" fw={600}>
        {rollups ? `${problem} ${remedy}` : `${whereText(first_bad, segment !== undefined)} ${problem}`}
      </Text>
    </div>
  );
}

function whereText(at: number | undefined, lookUp: boolean): string {
  if (!at) return i18n._('The journal was changed.');
  return lookUp
    ? i18n._('The journal was changed at look-up {at, number}.', { at })
    : i18n._('The journal was changed at record {at, number}.', { at });
}
