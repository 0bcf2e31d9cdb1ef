import { Switch, Text } from '@mantine/core';
import { useInvoke } from '../../../asking/useInvoke';
import { useEntry, useRefusal } from '../../../asking/useManifest';
import type { Response } from '../../../door/capabilities';
import { i18n } from '../../../language/i18n';
import { personalFieldsText } from '../../../shop/whatLeaves';
import { Problem } from '../../../ui/page/Note';
import { Part } from '../../../ui/page/Page';

interface WhatLeavesProps {
  status: Response<'assistant.status'>;
  onChanged: () => void;
}

/** The personal data sent to a remote model, and whether names are sent. */
export function WhatLeaves({ status: { remote, leaves }, onChanged }: WhatLeavesProps) {
  const entry = useEntry('assistant.setMasked');
  const refused = useRefusal('assistant.setMasked');
  const set = useInvoke('assistant.setMasked', { source: 'Settings' });
  const fields = personalFieldsText(leaves);
  return (
    <Part title={i18n._('What leaves this computer')}>
      {set.error && <Problem message={set.error.message} hint={set.error.recoveryHint} />}
      {remote ? (
        <>
          <Text>
            {i18n._(
              'What you say, the state of the page, and what the assistant looks up for you. Passwords, PINs and keys never do.',
            )}
          </Text>
          {fields && <Text mt={4}>{i18n._('Of people, as far as it is looked up: {fields}.', { fields })}</Text>}
        </>
      ) : (
        <Text>{i18n._('Nothing: who answers now is on this computer.')}</Text>
      )}
      <Switch
        mt="sm"
        label={i18n._('Mask personal values')}
        description={
          refused ??
          i18n._(
            'A model elsewhere is told placeholders for what was looked up about people; they are put back here. What you type yourself is masked once it was looked up.',
          )
        }
        checked={entry?.current === true}
        disabled={refused !== undefined || set.isPending}
        onChange={(event) => set.mutate({ masked: event.currentTarget.checked }, { onSuccess: onChanged })}
      />
    </Part>
  );
}
