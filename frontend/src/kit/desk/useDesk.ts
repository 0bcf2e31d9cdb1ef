import { useHotkeys } from '@mantine/hooks';
import { useDraft } from '../../ui/window/useKept';

/**
 * What stands beside and above the page: whether the conversation is open, and which dialog. It is the same after the
 * page was loaded anew. Ctrl K opens the palette, Ctrl J opens and closes the conversation.
 */
export function useDesk() {
  const [chat = 'never', setChat] = useDraft<'never' | 'open' | 'closed'>('assistant');
  const [dialog, setDialog] = useDraft<string>('dialog');
  const [command, setCommand] = useDraft<string>('command');
  const toggleChat = () => setChat((was) => (was === 'open' ? 'closed' : 'open'));
  const openPalette = (capability?: string) => {
    setCommand(capability);
    setDialog('palette');
  };
  useHotkeys(
    [
      ['mod+K', () => openPalette()],
      ['mod+J', toggleChat],
    ],
    [],
  );
  return { chat, toggleChat, dialog, setDialog, command, setCommand, openPalette };
}

/** What useDesk tells, for the parts of the desk. */
export type DeskState = ReturnType<typeof useDesk>;
