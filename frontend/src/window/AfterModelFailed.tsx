import { Button } from '@mantine/core';
import { i18n } from '../language/i18n';
import { useInvoke } from '../queries/useInvoke';
import { useRefusal } from '../queries/useManifest';
import { ActionButton } from '../ui/form/ActionButton';
import { Problem } from '../ui/page/Note';

interface AfterModelFailedProps {
  onAgain: () => void;
  onOpenSettings: () => void;
}

/** After a failure of the model: the built-in assistant in its place, or the settings. */
export function AfterModelFailed({ onAgain, onOpenSettings }: AfterModelFailedProps) {
  const set = useInvoke('settings.set', { source: 'Chat' });
  const refused = useRefusal('settings.set');
  return (
    <>
      <ActionButton
        variant="default"
        disabledReason={refused}
        loading={set.isPending}
        onClick={() => set.mutate({ section: 'model', values: { endpoint: '' } }, { onSuccess: onAgain })}
      >
        {i18n._('Use the built-in assistant')}
      </ActionButton>
      <Button variant="default" onClick={onOpenSettings}>
        {i18n._('Settings')}
      </Button>
      {set.error && <Problem message={set.error.message} hint={set.error.recoveryHint} />}
    </>
  );
}
