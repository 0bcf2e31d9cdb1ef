import { Stack, Text } from '@mantine/core';
import { i18n } from '../../../language/i18n';
import { CopiedText } from '../../../ui/form/CopiedText';
import { Dialog } from '../../../ui/page/Dialog';

interface HowToStartProps {
  client: string;
  /** The command that the program starts, and the one that writes it into the settings of Claude. */
  command: readonly string[];
  install: readonly string[];
  onClose: () => void;
}

/** How a program that was let in starts Deskhand: a command that writes it into the program's settings, and those. */
export function HowToStart({ client, command, install, onClose }: HowToStartProps) {
  const [start = '', ...args] = command;
  const settings = JSON.stringify({ mcpServers: { deskhand: { command: start, args } } }, null, 2);
  return (
    <Dialog onClose={onClose} title={i18n._('How {name} starts Deskhand', { name: client })} size="lg">
      <Stack gap="sm">
        <CopiedText
          label={i18n._('In a terminal, for Claude; vscode, cursor and zed can stand in its place')}
          text={install.map(quoted).join(' ')}
        />
        <CopiedText label={i18n._('In the settings of any other program')} text={settings} />
        <Text size="xs" c="dimmed">
          {i18n._('There is no secret in it. Start the program again afterwards.')}
        </Text>
      </Stack>
    </Dialog>
  );
}

/** A word of a command line, as a terminal takes it. */
const quoted = (word: string) => (/^[\w./:\\-]+$/.test(word) ? word : JSON.stringify(word));
