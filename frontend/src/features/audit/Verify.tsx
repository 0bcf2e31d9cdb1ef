import { Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import type { Response } from '../../bus/client';
import type { useTask } from '../../bus/useTask';
import { TaskStrip } from '../../ui/TaskStrip';
import classes from './Audit.module.css';

type Verdict = Response<'audit.verify'>;

/** How far the check of the whole journal is, and whether all of it is as it was written. */
export function VerifyStatus({ data, ...task }: ReturnType<typeof useTask<'audit.verify'>>) {
  return (
    <TaskStrip {...task} doing="Checking every record" whenStopped="Stopped: not every record was checked.">
      {data && <Told verdict={data} />}
    </TaskStrip>
  );
}

function Told({ verdict: { ok, records, first_bad, segment, problem } }: { verdict: Verdict }) {
  if (ok) {
    return (
      <div className={classes.verdict}>
        <IconCircleCheck size={16} aria-hidden className={classes.good} />
        <Text size="sm">All {records.toLocaleString()} records are as they were written.</Text>
      </div>
    );
  }
  const where = first_bad ? ` at ${segment ? 'look-up' : 'record'} ${first_bad.toLocaleString()}` : '';
  return (
    <div className={classes.verdict}>
      <IconAlertTriangle size={16} aria-hidden className={classes.bad} />
      <Text size="sm" fw={600}>
        The journal was changed{where}. {problem}
      </Text>
    </div>
  );
}
