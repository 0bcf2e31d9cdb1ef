import { Text } from '@mantine/core';
import { useInvoke } from '../../asking/useInvoke';
import { useRefusal } from '../../asking/useManifest';
import { i18n } from '../../language/i18n';
import { ActionButton } from '../../ui/form/ActionButton';
import { Problem } from '../../ui/page/Note';
import classes from './Chat.module.css';

/** Stands where a sentence is written while the assistant is switched off. */
export function SwitchedOff() {
  const set = useInvoke('assistant.setEnabled', { source: 'Chat' });
  const refused = useRefusal('assistant.setEnabled');
  return (
    <div className={classes.off} role="status">
      <Text fw={600}>{i18n._('The assistant is switched off')}</Text>
      <Text size="xs" c="dimmed" mb="xs">
        {i18n._('Everything else works. What was said here is kept.')}
      </Text>
      {set.error && <Problem message={set.error.message} hint={set.error.recoveryHint} />}
      <ActionButton
        variant="default"
        disabledReason={refused}
        loading={set.isPending}
        onClick={() => set.mutate({ enabled: true })}
      >
        {i18n._('Switch it on')}
      </ActionButton>
    </div>
  );
}
