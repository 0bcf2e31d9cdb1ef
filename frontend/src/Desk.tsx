import { useHotkeys } from '@mantine/hooks';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useBusEvent } from './bus/hooks';
import { usePlace } from './bus/navigation';
import { Approvals } from './features/approvals/Approvals';
import { Palette } from './features/palette/Palette';
import { useIdleLock } from './features/session/useIdleLock';
import { Dock } from './features/shell/Dock';
import { Shell } from './features/shell/Shell';
import { Shortcuts } from './features/shell/Shortcuts';
import { useShortcuts } from './features/shell/useShortcuts';
import { TourBar } from './features/tour/TourBar';
import { Pages } from './Pages';
import { Loading } from './ui/Loading';

const ChatPanel = lazy(() => import('./features/chat/ChatPanel'));
const SchemaFields = lazy(() => import('./features/palette/SchemaFields'));

interface DeskProps {
  /** Hears when the desk is there, and when it is gone. */
  onStands: (stands: boolean) => void;
}

/** The desk: which page is shown, and what stands beside and above it. */
export function Desk({ onStands }: DeskProps) {
  const { place, go } = usePlace();
  useIdleLock();
  useEffect(() => {
    onStands(true);
    return () => onStands(false);
  }, [onStands]);
  const [chat, setChat] = useState<'never' | 'open' | 'closed'>('never');
  const [dialog, setDialog] = useState<string>();
  const [command, setCommand] = useState<string>();

  const toggleChat = () => setChat((was) => (was === 'open' ? 'closed' : 'open'));
  const closeDialog = () => setDialog(undefined);
  const openPalette = (capability?: string) => {
    setCommand(capability);
    setDialog('palette');
  };
  const openTrace = (requestId: string) => go({ page: 'audit', id: requestId });
  useShortcuts(openPalette);
  useHotkeys(
    [
      ['mod+K', () => openPalette()],
      ['mod+J', toggleChat],
      ['F1', () => setDialog('shortcuts')],
    ],
    [],
  );
  useBusEvent('stateChange', ({ domain, ids }) => {
    if (domain !== 'modal') return;
    setCommand(undefined);
    setDialog(ids?.[0]);
    if (ids?.[0] === 'customerPicker') go({ page: 'counter' });
  });

  return (
    <>
      <Shell
        page={place.page}
        onGo={(page) => go({ page })}
        chatOpen={chat === 'open'}
        onToggleChat={toggleChat}
        onOpenPalette={() => openPalette()}
        tour={<TourBar place={place} onGo={go} />}
        dock={
          <Dock
            approvals={<Approvals Fields={SchemaFields} />}
            chatOpen={chat === 'open'}
            chat={
              chat !== 'never' && (
                <Suspense fallback={<Loading label="Opening the assistant" />}>
                  <ChatPanel
                    open={chat === 'open'}
                    onClose={toggleChat}
                    onOpenTrace={openTrace}
                    onOpenSettings={() => go({ page: 'settings', id: 'assistant' })}
                  />
                </Suspense>
              )
            }
          />
        }
      >
        <Pages
          place={place}
          onGo={go}
          picking={dialog === 'customerPicker'}
          onPick={(open) => setDialog(open ? 'customerPicker' : undefined)}
        />
      </Shell>
      {dialog === 'palette' && <Palette first={command} onClose={closeDialog} onOpenTrace={openTrace} />}
      {dialog === 'shortcuts' && <Shortcuts onClose={closeDialog} />}
    </>
  );
}
