import { Text } from '@mantine/core';
import { i18n } from '../../../language/i18n';
import { useInvoke } from '../../../queries/useInvoke';
import { useRefusal } from '../../../queries/useManifest';
import { ActionButton } from '../../../ui/form/ActionButton';
import { Problem } from '../../../ui/page/Note';
import { Part } from '../../../ui/page/Page';

/** Sends a mail to the sender, to see whether it arrives. */
export function TestMail() {
  const test = useInvoke('settings.testMail', { source: 'Settings' });
  const refused = useRefusal('settings.testMail');
  return (
    <Part title={i18n._('Try it')}>
      {test.error && <Problem message={test.error.message} hint={test.error.recoveryHint} />}
      <ActionButton variant="default" disabledReason={refused} loading={test.isPending} onClick={() => test.mutate({})}>
        {i18n._('Send a test mail')}
      </ActionButton>
      <Text mt="xs" role="status">
        {test.data && i18n._('A mail is on its way to {to}.', test.data.data)}
      </Text>
    </Part>
  );
}
