import { Group, Text } from '@mantine/core';
import { useState } from 'react';
import { i18n } from '../../../language/i18n';
import { useInvoke } from '../../../queries/useInvoke';
import { useRefusal } from '../../../queries/useManifest';
import { ActionButton } from '../../../ui/form/ActionButton';
import { Select } from '../../../ui/form/Select';
import { Problem } from '../../../ui/page/Note';
import { Part } from '../../../ui/page/Page';

/** Calls a webhook with a sign of life, to see whether it answers. */
export function TryHook({ hooks }: { hooks: readonly { id: string; name: string }[] }) {
  const [hook, setHook] = useState(hooks[0]?.id ?? '');
  const call = useInvoke('webhook.trigger', { source: 'Settings' });
  const refused = useRefusal('webhook.trigger');
  const known = hooks.some(({ id }) => id === hook) ? hook : (hooks[0]?.id ?? '');
  return (
    <Part title={i18n._('Try it')}>
      {call.error && <Problem message={call.error.message} hint={call.error.recoveryHint} />}
      <Group gap="xs" align="end">
        <Select
          label={i18n._('Webhook')}
          data={hooks.map(({ id, name }) => ({ value: id, label: name }))}
          value={known}
          allowDeselect={false}
          onChange={(id) => id && setHook(id)}
        />
        <ActionButton
          variant="default"
          disabledReason={refused}
          loading={call.isPending}
          onClick={() => call.mutate({ hook: known })}
        >
          {i18n._('Call it')}
        </ActionButton>
      </Group>
      <Text mt="xs" role="status">
        {call.data && i18n._('{hook} answered, and took it ({status}).', call.data.data)}
      </Text>
    </Part>
  );
}
