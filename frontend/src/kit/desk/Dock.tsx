import type { ReactNode } from 'react';
import { i18n } from '../../language/i18n';
import { lazyPart } from '../../ui/window/lazyPart';
import { PartBoundary } from '../../ui/window/PartBoundary';
import { AllowFromNowOn } from '../approvals/AllowFromNowOn';
import { Approvals } from '../approvals/Approvals';
import classes from './Dock.module.css';
import type { DeskState } from './useDesk';

const ChatPanel = lazyPart(
  () => import('../chat/ChatPanel'),
  () => i18n._('Opening the assistant'),
);
const SchemaFields = lazyPart(
  () => import('../form/SchemaFields'),
  () => i18n._('Opening'),
);

interface DockProps {
  desk: DeskState;
  onOpenTrace: (requestId: string) => void;
  /** The conversation, where the application has texts or ways of its own for it. */
  chat?: ReactNode;
  /** Another number is another wish to go to the open cards. */
  goThere?: number;
}

/**
 * The right side: what waits for an answer above, the conversation below. A
 * card stands here whether the conversation is open or not; with neither, the
 * dock takes no room. Both stay mounted, so that closing loses nothing.
 */
export function Dock({ desk, onOpenTrace, chat, goThere }: DockProps) {
  const open = desk.chat === 'open';
  return (
    <aside className={classes.dock} aria-label={i18n._('Assistant')}>
      <div className={classes.approvals}>
        <PartBoundary of="approvals">
          <Approvals Fields={SchemaFields} goThere={goThere} talking={open} />
        </PartBoundary>
      </div>
      <div className={classes.suggested} hidden={!open}>
        <PartBoundary of="approvals">
          <AllowFromNowOn />
        </PartBoundary>
      </div>
      <div className={classes.chat} hidden={!open}>
        {desk.chat !== 'never' && (
          <PartBoundary of="conversation">
            {chat ?? <ChatPanel {...{ open, onOpenTrace }} onClose={desk.toggleChat} />}
          </PartBoundary>
        )}
      </div>
    </aside>
  );
}
