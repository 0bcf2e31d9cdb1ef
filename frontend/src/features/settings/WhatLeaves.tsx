import { Switch, Text } from '@mantine/core';
import type { Response } from '../../bus/client';
import { useEntry, useInvoke, useRefusal } from '../../bus/hooks';
import { leavesText } from '../../bus/leaves';
import { Problem } from '../../ui/Note';
import { Part } from '../../ui/Page';

interface WhatLeavesProps {
  status: Response<'assistant.status'>;
  onChanged: () => void;
}

/** What a model elsewhere is told of people, and whether it is told their names. */
export function WhatLeaves({ status: { remote, leaves }, onChanged }: WhatLeavesProps) {
  const entry = useEntry('assistant.setMasked');
  const refused = useRefusal('assistant.setMasked');
  const set = useInvoke('assistant.setMasked', { source: 'Settings' });
  const fields = leavesText(leaves);
  return (
    <Part title="What leaves this computer">
      {set.error && <Problem message={set.error.message} hint={set.error.recoveryHint} />}
      {remote ? (
        <>
          <Text>
            What you say, the state of the page, and what the assistant looks up for you. Passwords, PINs and keys never
            do.
          </Text>
          {fields && <Text mt={4}>Of people, as far as it is looked up: {fields}.</Text>}
        </>
      ) : (
        <Text>Nothing: who answers now is on this computer.</Text>
      )}
      <Switch
        mt="sm"
        label="Mask personal values"
        description={
          refused ??
          'A model elsewhere is told placeholders for what was looked up about people; they are put back here. What you type yourself is masked once it was looked up.'
        }
        checked={entry?.current === true}
        disabled={refused !== undefined || set.isPending}
        onChange={(event) => set.mutate({ masked: event.currentTarget.checked }, { onSuccess: onChanged })}
      />
    </Part>
  );
}
