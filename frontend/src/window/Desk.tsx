import { useCallback, useEffect, useState } from 'react';
import { Scanner } from '../features/counter/Scanner';
import { DropImport } from '../features/imports/DropImport';
import { TourBar } from '../features/tour/TourBar';
import { Activity } from '../kit/activity/Activity';
import { Dock } from '../kit/desk/Dock';
import { Overlay } from '../kit/desk/Overlay';
import { useDesk } from '../kit/desk/useDesk';
import { i18n } from '../language/i18n';
import { useBusEvent } from '../queries/useBusEvent';
import { type Place, usePlace } from '../shop/navigation';
import { KeyLayer, useKeys } from '../ui/keys/useKeys';
import { lazyPart } from '../ui/window/lazyPart';
import { PartBoundary } from '../ui/window/PartBoundary';
import { type AgentContext, useAgentContext } from '../ui/window/useAgentContext';
import { Pages } from './Pages';
import { useIdleLock } from './session/useIdleLock';
import { Shell } from './shell/Shell';
import { Shortcuts } from './shell/Shortcuts';
import { useShortcuts } from './shell/useShortcuts';

const Assistant = lazyPart(
  () => import('./Assistant'),
  () => i18n._('Opening the assistant'),
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
  const desk = useDesk();
  const { chat, toggleChat, dialog, setDialog, setCommand, openPalette } = desk;
  const [answering, setAnswering] = useState(0);
  const pick = useCallback((open: boolean) => setDialog(open ? 'customerPicker' : undefined), [setDialog]);
  const closeDialog = () => setDialog(undefined);
  const openTrace = (requestId: string) => go({ page: 'audit', id: requestId });
  useShortcuts(openPalette);
  const showKeys = () => setDialog('shortcuts');
  useKeys({
    F1: { does: i18n._('This list'), act: showKeys },
    '?': { does: i18n._('This list, where nothing is being typed'), act: showKeys },
    F2: { does: i18n._('Search products at the counter'), act: () => go({ page: 'counter' }) },
  });
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
            desk={desk}
            onOpenTrace={openTrace}
            goThere={answering}
            chat={
              <Assistant
                open={chat === 'open'}
                onClose={toggleChat}
                onOpenTrace={openTrace}
                onOpenSettings={() => go({ page: 'settings', id: 'assistant' })}
              />
            }
          />
        }
      >
        <KeyLayer kind="page">
          <Pages place={place} onGo={go} picking={dialog === 'customerPicker'} onPick={pick} />
        </KeyLayer>
      </Shell>
      <Overlay desk={desk} onOpenTrace={openTrace} />
      <Scanner />
      <PartBoundary of="drop">
        <DropImport />
      </PartBoundary>
      <PartBoundary of={`dialog ${dialog}`}>
        {dialog === 'shortcuts' && <Shortcuts onClose={closeDialog} />}
      </PartBoundary>
    </>
  );
}
