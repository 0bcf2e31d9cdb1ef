import { List, Text, ThemeIcon } from '@mantine/core';
import { IconCheck, IconMinus } from '@tabler/icons-react';
import type { Response } from '../../../bridge/capabilities';
import classes from '../Settings.module.css';
import { type Finding, findings, verdict } from './verdict';

/** The result of a model's test in plain words. */
export function ModelVerdict({ report, model }: { report: Response<'settings.testModel'>; model: string }) {
  const { good, text } = verdict(report);
  return (
    <div className={classes.verdict} role="status" data-good={good || undefined}>
      <Text fw={600}>{text}</Text>
      <List size="sm" spacing={2} mt={4} center>
        {findings(report, model).map((finding) => (
          <List.Item key={finding.text} icon={<Mark {...finding} />}>
            {finding.text}
          </List.Item>
        ))}
      </List>
    </div>
  );
}

function Mark({ good }: Finding) {
  return (
    <ThemeIcon size={16} variant="transparent" color={good ? 'pine' : 'amber'}>
      {good ? <IconCheck size={14} aria-hidden /> : <IconMinus size={14} aria-hidden />}
    </ThemeIcon>
  );
}
