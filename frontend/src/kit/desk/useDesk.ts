import { i18n } from '../../language/i18n';
import { useKeys } from '../../ui/keys/useKeys';
import { useDraft } from '../../ui/window/useKept';
import { useDomain } from '../domain';
import { useOpenCommand } from './useOpenCommand';

/**
 * What stands beside and above the page: whether the conversation is open, and which dialog. It is the same after the
 * page was loaded anew. Ctrl K opens the palette, Ctrl J opens and closes the conversation, and the key of a page leads
 * there.
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
  useKeys({
    'Ctrl+K': { does: i18n._('Find a page, a record, a setting or an action'), act: () => openPalette() },
    'Ctrl+J': { does: i18n._('Open or close the assistant'), act: toggleChat, always: true },
    ...Object.fromEntries(
      pages.flatMap(({ link, title, shortcut }) =>
        shortcut ? [[shortcut, { does: title, act: () => open?.(link) }]] : [],
      ),
    ),
  });
  return { chat, toggleChat, dialog, setDialog, command, setCommand, openPalette };
}

/** What useDesk tells, for the parts of the desk. */
export type DeskState = ReturnType<typeof useDesk>;
