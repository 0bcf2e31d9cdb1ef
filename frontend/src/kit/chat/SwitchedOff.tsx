import { Text } from '@mantine/core';
import { i18n } from '../../language/i18n';
import { CapabilityButton } from '../actions/CapabilityButton';
import classes from './Chat.module.css';

/** Stands where a sentence is written while the assistant is switched off. */
export function SwitchedOff() {
  return (
    <div className={classes.off} role="status">
      <Text fw={600}>{i18n._('The assistant is switched off')}</Text>
      <Text size="xs" c="dimmed" mb="xs">
        {i18n._('Everything else works. What was said here is kept.')}
      </Text>
      <CapabilityButton name="assistant.setEnabled" args={{ enabled: true }} source="Chat">
        {i18n._('Switch it on')}
      </CapabilityButton>
    </div>
  );
}
