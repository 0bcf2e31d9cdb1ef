import { useHotkeys } from '@mantine/hooks';
import { lazy, Suspense, useEffect, useState } from 'react';
import { Frozen } from './bus/frozen';
import { useBusEvent, useManifestQuery } from './bus/hooks';
import { entry } from './bus/manifest';
import { usePlace } from './bus/navigation';
import { useSession } from './bus/session';
import { Approvals } from './features/approvals/Approvals';
import { Palette } from './features/palette/Palette';
import { LockScreen } from './features/session/LockScreen';
import { SignIn } from './features/session/SignIn';
import { useIdleLock } from './features/session/useIdleLock';
import { useQuietKeys } from './features/session/useQuietKeys';
import { FirstRun } from './features/setup/FirstRun';
import { Dock } from './features/shell/Dock';
import { Shell } from './features/shell/Shell';
import { Shortcuts } from './features/shell/Shortcuts';
import { useThemeOfApplication } from './features/shell/useColorScheme';
import { useNotices } from './features/shell/useNotices';
import { useShortcuts } from './features/shell/useShortcuts';
import { TourBar } from './features/tour/TourBar';
import { Pages } from './Pages';
import { Loading } from './ui/Loading';

const ChatPanel = lazy(() => import('./features/chat/ChatPanel'));
const SchemaFields = lazy(() => import('./features/palette/SchemaFields'));

/** The window: the desk; on an empty folder the choice of a shop to stand at; with nobody there, who it is. */
export function App() {
  const session = useSession();
  const [stands, setStands] = useState(false);
  const locked = stands && session?.lockedFor !== undefined;
  const manifest = useManifestQuery(!locked);
  useThemeOfApplication();
  useNotices();
  useQuietKeys(locked);
  if (manifest.isPending || !session) return <Loading label="Opening the shop" />;
  if (entry(manifest.data, 'shop.setUp')?.available) return <FirstRun />;
  if (session.locked && !locked) return <SignIn />;
  return (
    <>
      <Frozen value={locked}>
        <Desk onStands={setStands} />
      </Frozen>
      {locked && <LockScreen />}
    </>
  );
}

/** The desk: which page is shown, and what stands beside and above it. */
function Desk({ onStands }: { onStands: (stands: boolean) => void }) {
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
