import { PartBoundary } from '../../ui/window/PartBoundary';
import { UndoNotices } from '../activity/UndoNotices';
import { Palette } from '../palette/Palette';
import type { DeskState } from './useDesk';

interface OverlayProps {
  desk: DeskState;
  onOpenTrace: (requestId: string) => void;
}

/** What stands above the page: the palette, and the notice of the last action with its undo. */
export function Overlay({ desk: { dialog, setDialog, command, setCommand }, onOpenTrace }: OverlayProps) {
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
