import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { i18n } from '../language/i18n';
import { useInvoke } from '../queries/useInvoke';
import { useRefusal } from '../queries/useManifest';
import { ActionButton } from '../ui/form/ActionButton';
import { FormDialog } from '../ui/form/FormDialog';

interface AfterModelFailedProps {
  onAgain: () => void;
  onOpenSettings: () => void;
}

/** After a failure of the model: the built-in assistant in its place, once that was confirmed, or the settings. */
export function AfterModelFailed({ onAgain, onOpenSettings }: AfterModelFailedProps) {
  const [asking, setAsking] = useState(false);
  const set = useInvoke('settings.set', { source: 'Chat' });
  const refused = useRefusal('settings.set');
  const end = () => setAsking(false);
  const change = () => set.mutate({ section: 'model', values: { endpoint: '' } }, { onSuccess: onAgain, onDone: end });
  return (
    <>
      <ActionButton variant="default" disabledReason={refused} onClick={() => setAsking(true)}>
        {i18n._('Use the built-in assistant…')}
      </ActionButton>
      <Button variant="default" onClick={onOpenSettings}>
        {i18n._('Settings')}
      </Button>
      {asking && (
        <FormDialog
          title={i18n._('Use the built-in assistant at every desk')}
          submit={i18n._('Use it everywhere')}
          call={set}
          onSubmit={change}
          onClose={end}
        >
          <Text>
            {i18n._(
              'The model of the shop is no longer used, by anyone, until it is chosen again under Settings, Assistant. The built-in assistant works without a network.',
            )}
          </Text>
        </FormDialog>
      )}
    </>
  );
}
