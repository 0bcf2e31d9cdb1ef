import { Group, List, Stack, Text, ThemeIcon } from '@mantine/core';
import { IconCheck, IconMinus } from '@tabler/icons-react';
import type { Response } from '../../../bridge/capabilities';
import { i18n } from '../../../language/i18n';
import type { useInvoke } from '../../../queries/useInvoke';
import { useRefusal } from '../../../queries/useManifest';
import { ActionButton } from '../../../ui/form/ActionButton';
import { Problem } from '../../../ui/page/Note';
import classes from '../Settings.module.css';
import { type Finding, findings, profileText, verdict } from './verdict';

interface TestModelProps {
  test: ReturnType<typeof useInvoke<'settings.testModel'>>;
  endpoint: string;
  model: string;
  /** What a test found before, if there was one. */
  tested?: readonly string[];
  /** Why it cannot be tested yet. */
  disabledReason?: string;
}

/** Tries a model with a harmless tool call, and reports its abilities. */
export function TestModel({ test, endpoint, model, tested, disabledReason }: TestModelProps) {
  const refused = useRefusal('settings.testModel');
  const { data, error, isPending, variables } = test;
  return (
    <Stack gap="sm" style={{ gridColumn: '1 / -1' }}>
      <Group gap="md" align="start" wrap="nowrap">
        <ActionButton
          variant="default"
          style={{ flex: 'none' }}
          loading={isPending}
          disabledReason={refused ?? disabledReason}
          onClick={() => test.mutate({ endpoint: endpoint.trim(), ...(model.trim() && { model: model.trim() }) })}
        >
          {i18n._('Test')}
        </ActionButton>
        <Text size="xs" c="dimmed">
          {i18n._(
            'Asks about the weather in two cities, with the tools of the assistant. Nothing of the shop is sent.',
          )}
        </Text>
      </Group>
      {tested && !data && !isPending && <Text size="sm">{profileText(tested)}</Text>}
      {error && <Problem message={error.message} hint={error.recoveryHint} />}
      {data && !isPending && <ModelVerdict report={data.data} model={variables?.model ?? model} />}
    </Stack>
  );
}

/** The result of a model's test in plain words. */
function ModelVerdict({ report, model }: { report: Response<'settings.testModel'>; model: string }) {
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
