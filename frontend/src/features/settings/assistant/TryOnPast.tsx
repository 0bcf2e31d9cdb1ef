import { Group, NativeSelect, Text } from '@mantine/core';
import { useState } from 'react';
import { i18n } from '../../../language/i18n';
import { useRefusal } from '../../../queries/useManifest';
import { useTask } from '../../../queries/useTask';
import { ActionButton } from '../../../ui/form/ActionButton';
import { Part } from '../../../ui/page/Page';
import { TaskStrip } from '../../../ui/page/TaskStrip';
import { TriedSentences } from './TriedSentences';
import { countsText, skippedText } from './tried';

interface TryOnPastProps {
  /** Both empty for the built-in assistant. */
  endpoint: string;
  model: string;
  /** Why it cannot be tried yet. */
  disabledReason?: string;
}

const numbers = ['10', '20', '50', '100'];

/** Says past sentences to the chosen model again, on a copy, and shows what it did otherwise. */
export function TryOnPast({ endpoint, model, disabledReason }: TryOnPastProps) {
  const { data, ...trial } = useTask('model.tryOut', 'Settings');
  const refused = useRefusal('model.tryOut');
  const [last, setLast] = useState('20');
  const at = endpoint && { endpoint, ...(model && { model }) };
  return (
    <Part title={i18n._('Try this model on your own past')}>
      <Text size="sm" c="dimmed" mb="sm">
        {i18n._(
          'Says your last sentences to it again, on a copy of the shop as it was then, and compares what it changes there. The shop stays as it is.',
        )}
      </Text>
      <Group gap="md" align="end" mb="sm">
        <NativeSelect
          size="xs"
          label={i18n._('Last sentences')}
          data={numbers}
          value={last}
          onChange={(event) => setLast(event.currentTarget.value)}
        />
        <ActionButton
          variant="default"
          loading={trial.running}
          disabledReason={refused ?? disabledReason}
          onClick={() => trial.start({ ...at, last: Number(last) })}
        >
          {i18n._('Try it')}
        </ActionButton>
      </Group>
      <TaskStrip
        {...trial}
        error={trial.stopped && trial.error ? { message: '', reason: 'cancelled' } : trial.error}
        doing={i18n._('Saying it again')}
        whenStopped={i18n._('Stopped: the copy is removed, and the shop is as it was.')}
      >
        {data && <Text size="sm">{[countsText(data), skippedText(data)].filter(Boolean).join(' ')}</Text>}
      </TaskStrip>
      {data && data.sentences.length > 0 && <TriedSentences sentences={data.sentences} />}
    </Part>
  );
}
