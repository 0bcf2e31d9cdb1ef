import { Switch, Text } from '@mantine/core';
import { useCapability, useInvoke, useRefusal } from '../../bus/hooks';
import { Loading } from '../../ui/Loading';
import { Problem } from '../../ui/Note';
import { Part } from '../../ui/Page';

const source = { source: 'Settings' };

/** Whether the assistant may be asked at all, and who answers then. */
export function Assistant() {
  const { data, error, refetch } = useCapability('assistant.status', {}, source);
  const set = useInvoke('assistant.setEnabled', source);
  const refused = useRefusal('assistant.setEnabled');
  if (!data) {
    return error ? <Problem message={error.message} onRetry={refetch} /> : <Loading label="Asking the assistant" />;
  }
  const who = data.model ? [data.model, data.endpoint].filter(Boolean).join(' at ') : 'The built-in assistant';
  return (
    <Part title="Assistant">
      {set.error && <Problem message={set.error.message} hint={set.error.recoveryHint} />}
      <Switch
        label="The assistant may be asked"
        description={refused}
        checked={data.enabled}
        disabled={refused !== undefined || set.isPending}
        onChange={(event) => set.mutate({ enabled: event.currentTarget.checked }, { onSuccess: () => void refetch() })}
      />
      <Text mt="sm">
        {who} answers{data.latencyMs > 0 ? `, in ${data.latencyMs.toLocaleString()} ms when asked last` : ''}.
      </Text>
      <Text size="xs" c="dimmed">
        {data.remote ? 'What it is told leaves this computer.' : 'What it is told stays on this computer.'}
      </Text>
    </Part>
  );
}
