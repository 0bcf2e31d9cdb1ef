import { type HotkeyItem, useHotkeys } from '@mantine/hooks';
import { dialogIsOpen, dialogsOpen } from '../../ui/keys/useKeys';
import { useDraft } from '../../ui/window/useKept';
import { useDomain } from '../domain';
import { useOpenCommand } from './useOpenCommand';

/**
 * What stands beside and above the page: whether the conversation is open, and which dialog. It is the same after the
 * page was loaded anew. Ctrl K opens the palette, Ctrl J opens and closes the conversation, and the key of a page leads
 * there, from the list of the palette too.
 */
export function useDesk() {
  const [chat = 'never', setChat] = useDraft<'never' | 'open' | 'closed'>('assistant');
  const [dialog, setDialog] = useDraft<string>('dialog');
  const [command, setCommand] = useDraft<string>('command');
  const toggleChat = () => setChat((was) => (was === 'open' ? 'closed' : 'open'));
  const openPalette = useOpenCommand();
  const { useDestinations, useOpenLink } = useDomain();
  const { pages } = useDestinations();
  const open = useOpenLink();
  const goTo = (link: string, { isComposing }: KeyboardEvent) => {
    const listed = dialog === 'palette' && !command;
    if (isComposing || (dialogIsOpen() && !listed)) return;
    if (listed) setDialog(undefined);
    open?.(link);
  };
  useHotkeys(
    [
      ...pages.flatMap(({ link, shortcut }): HotkeyItem[] => {
        if (!shortcut) return [];
        // With Alt, or on a keyboard whose digits need Shift, a key gives another sign than is written on it.
        const key = shortcut.replace(/\+(\d)$/, '+Digit$1');
        return [[key, (event) => goTo(link, event), { usePhysicalKeys: key !== shortcut }]];
      }),
      ['mod+K', () => dialogsOpen() <= (dialog === 'palette' ? 1 : 0) && openPalette()], // over nothing else
      ['mod+J', toggleChat],
    ],
    [],
  );
  return { chat, toggleChat, dialog, setDialog, command, setCommand, openPalette };
}

/** What useDesk tells, for the parts of the desk. */
export type DeskState = ReturnType<typeof useDesk>;
