import { Button, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { useInvoke } from '../../bus/hooks';
import classes from './Audit.module.css';

/** Checks the whole journal and says plainly whether it is as it was written. */
export function Verify() {
  const verify = useInvoke('audit.verify', { source: 'VerifyButton' });
  const verdict = verify.data?.data;
  return (
    <>
      <div role="status" className={classes.verdict}>
        {verdict?.ok && (
          <>
            <IconCircleCheck size={16} aria-hidden className={classes.good} />
            <Text size="sm">All {verdict.records.toLocaleString()} records are as they were written.</Text>
          </>
        )}
        {verdict && !verdict.ok && (
          <>
            <IconAlertTriangle size={16} aria-hidden className={classes.bad} />
            <Text size="sm" fw={600}>
              The journal was changed{verdict.first_bad ? ` at record ${verdict.first_bad}` : ''}. {verdict.problem}
            </Text>
          </>
        )}
        {verify.error && <Text size="sm">{verify.error.message}</Text>}
      </div>
      <Button variant="default" loading={verify.isPending} onClick={() => verify.mutate({})}>
        Verify
      </Button>
    </>
  );
}
