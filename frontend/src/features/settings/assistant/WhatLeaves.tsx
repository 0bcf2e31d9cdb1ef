import { NativeSelect, Switch, Text } from '@mantine/core';
import type { Request, Response } from '../../../bridge/capabilities';
import { i18n } from '../../../language/i18n';
import { useInvoke } from '../../../queries/useInvoke';
import { useEntry, useRefusal } from '../../../queries/useManifest';
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
      <Review />
    </Part>
  );
}

type Models = Request<'assistant.setReview'>['models'];

const choices: readonly { value: Models; label: string }[] = [
  { value: 'none', label: i18n._('No: models read it at once') },
  { value: 'elsewhere', label: i18n._('Yes, for a model elsewhere') },
  { value: 'all', label: i18n._('Yes, for every model') },
];

/** Whether the person is shown what others wrote before a model reads it. */
function Review() {
  const entry = useEntry('assistant.setReview');
  const refused = useRefusal('assistant.setReview');
  const set = useInvoke('assistant.setReview', { source: 'Settings' });
  return (
    <>
      {set.error && <Problem message={set.error.message} hint={set.error.recoveryHint} />}
      <NativeSelect
        mt="sm"
        label={i18n._('Show me first what others wrote')}
        description={
          refused ??
          i18n._(
            'Notes, descriptions and imported text may hold instructions. Each is shown on a card, and the model reads it if you allow it. The built-in assistant takes no text for an instruction.',
          )
        }
        data={[...choices]}
        value={String(entry?.current ?? 'none')}
        disabled={refused !== undefined || set.isPending}
        onChange={(event) => set.mutate({ models: event.currentTarget.value as Models })}
      />
    </>
  );
}
