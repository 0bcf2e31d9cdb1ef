import { Button, Group } from '@mantine/core';
import { useInvoke } from '../../asking/useInvoke';
import { useRefusal } from '../../asking/useManifest';
import { i18n } from '../../language/i18n';
import { ActionButton } from '../../ui/form/ActionButton';
import { Problem } from '../../ui/page/Note';

interface AfterFailureProps {
  onAgain: () => void;
  onOpenSettings: () => void;
}

/** The ways on after a failure of the model: try again, use the built-in assistant, or open the settings. */
export function AfterFailure({ onAgain, onOpenSettings }: AfterFailureProps) {
  const set = useInvoke('settings.set', { source: 'Chat' });
  const refused = useRefusal('settings.set');
  return (
    <>
      {set.error && <Problem message={set.error.message} hint={set.error.recoveryHint} />}
      <Group gap="xs" role="group" aria-label={i18n._('Ways on')}>
        <Button variant="default" onClick={onAgain}>
          {i18n._('Try again')}
        </Button>
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
      </Group>
    </>
  );
}
