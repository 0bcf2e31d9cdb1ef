import { PartBoundary } from '../../ui/window/PartBoundary';
import { UndoNotices } from '../activity/UndoNotices';
import { useFilledForms } from '../palette/filled';
import { Palette } from '../palette/Palette';
import type { DeskState } from './useDesk';

interface OverlayProps {
  desk: DeskState;
  onOpenTrace: (requestId: string) => void;
}

/** What stands above the page: the palette, and the notice of the last action with its undo. */
export function Overlay({ desk, onOpenTrace }: OverlayProps) {
  const { dialog, setDialog, command, setCommand, openPalette } = desk;
  useFilledForms(dialog, openPalette);
  return (
    <>
      <UndoNotices />
      <PartBoundary of="dialog palette">
        {dialog === 'palette' && (
          <Palette
            chosen={command}
            onChosen={setCommand}
            onClose={() => setDialog(undefined)}
            onOpenTrace={onOpenTrace}
          />
        )}
      </PartBoundary>
    </>
  );
}
