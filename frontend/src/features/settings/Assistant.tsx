import { Switch, Text } from '@mantine/core';
import { useCapability, useInvoke, useRefusal } from '../../bus/hooks';
import { Loading } from '../../ui/Loading';
import { Problem } from '../../ui/Note';
import { Part } from '../../ui/Page';

/** The endpoint of what is built in, as its calls are recorded. */
const BUILT_IN = 'built-in';

const source = { source: 'Settings' };

/** Whether the assistant may be asked at all, and who answers then. */
export function Assistant() {
  const { data, error, refetch } = useCapability('assistant.status', {}, source);
  const set = useInvoke('assistant.setEnabled', source);
  const refused = useRefusal('assistant.setEnabled');
  if (!data) {
    return error ? <Problem message={error.message} onRetry={refetch} /> : <Loading label="Asking the assistant" />;
  }
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
        {nameOf(data)} answers{data.latencyMs > 0 ? `, in ${data.latencyMs.toLocaleString()} ms when asked last` : ''}.
      </Text>
      <Text size="xs" c="dimmed">
        {data.remote ? 'What it is told leaves this computer.' : 'What it is told stays on this computer.'}
      </Text>
    </Part>
  );
}

/** Who answers; what is built in has no model to name. */
function nameOf({ model, endpoint }: { model?: string; endpoint?: string }): string {
  if (!model || endpoint === BUILT_IN) return 'The built-in assistant';
  return endpoint ? `${model} at ${endpoint}` : model;
}
