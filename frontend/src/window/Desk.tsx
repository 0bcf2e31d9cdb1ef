import { useHotkeys } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { useBusEvent } from '../asking/useBusEvent';
import { Scanner } from '../features/counter/Scanner';
import { DropImport } from '../features/imports/DropImport';
import { TourBar } from '../features/tour/TourBar';
import { Activity } from '../kit/activity/Activity';
import { UndoNotices } from '../kit/activity/UndoNotices';
import { Approvals } from '../kit/approvals/Approvals';
import { Palette } from '../kit/palette/Palette';
import { i18n } from '../language/i18n';
import { type Place, usePlace } from '../shop/navigation';
import { dialogIsOpen } from '../ui/keys/useKeys';
import { lazyPart } from '../ui/window/lazyPart';
import { type AgentContext, useAgentContext } from '../ui/window/useAgentContext';
import { useDraft } from '../ui/window/useKept';
import { Pages } from './Pages';
import { useIdleLock } from './session/useIdleLock';
import { PartBoundary } from './shell/BrokenPart';
import { Dock } from './shell/Dock';
import { Shell } from './shell/Shell';
import { Shortcuts } from './shell/Shortcuts';
import { useShortcuts } from './shell/useShortcuts';

const Assistant = lazyPart(
  () => import('./Assistant'),
  () => i18n._('Opening the assistant'),
);
const SchemaFields = lazyPart(
  () => import('../kit/palette/SchemaFields'),
  () => i18n._('Opening'),
);

interface DeskProps {
  /** Hears when the desk is there, and when it is gone. */
  onStands: (stands: boolean) => void;
}

/** The page, with its part or the record that is open. */
function agentContext({ page, id }: Place): AgentContext {
  if (page === 'settings' || page === 'reports') return { step: [page, id].filter(Boolean).join('/') };
  return { step: page, ids: id ? [id] : [] };
}

/** The desk: which page is shown, and what stands beside and above it. */
export function Desk({ onStands }: DeskProps) {
  const { place, go } = usePlace();
  useIdleLock();
  useAgentContext(() => agentContext(place));
  useEffect(() => {
    onStands(true);
    return () => onStands(false);
  }, [onStands]);
  const [chat = 'never', setChat] = useDraft<'never' | 'open' | 'closed'>('assistant');
  const [dialog, setDialog] = useDraft<string>('dialog');
  const [command, setCommand] = useDraft<string>('command');

  const toggleChat = () => setChat((was) => (was === 'open' ? 'closed' : 'open'));
  const [answering, setAnswering] = useState(0);
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
  const showKeys = () => !dialogIsOpen() && setDialog('shortcuts');
  useHotkeys([
    ['?', showKeys], // where nothing is typed; not every keyboard has it above another sign
    ['shift+?', showKeys],
  ]);
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
        activity={
          <PartBoundary of="activity">
            <Activity onOpenTrace={openTrace} onAnswer={() => setAnswering(answering + 1)} />
          </PartBoundary>
        }
        tour={
          <PartBoundary of="tour">
            <TourBar place={place} onGo={go} />
          </PartBoundary>
        }
        dock={
          <Dock
            approvals={
              <PartBoundary of="approvals">
                <Approvals Fields={SchemaFields} goThere={answering} />
              </PartBoundary>
            }
            chatOpen={chat === 'open'}
            chat={
              chat !== 'never' && (
                <PartBoundary of="conversation">
                  <Assistant
                    open={chat === 'open'}
                    onClose={toggleChat}
                    onOpenTrace={openTrace}
                    onOpenSettings={() => go({ page: 'settings', id: 'assistant' })}
                  />
                </PartBoundary>
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
      <UndoNotices />
      <Scanner />
      <PartBoundary of="drop">
        <DropImport />
      </PartBoundary>
      <PartBoundary of={`dialog ${dialog}`}>
        {dialog === 'palette' && (
          <Palette chosen={command} onChosen={setCommand} onClose={closeDialog} onOpenTrace={openTrace} />
        )}
        {dialog === 'shortcuts' && <Shortcuts onClose={closeDialog} />}
      </PartBoundary>
    </>
  );
}
