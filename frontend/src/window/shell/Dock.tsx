import type { ReactNode } from 'react';
import { i18n } from '../../language/i18n';
import classes from './Dock.module.css';

interface DockProps {
  approvals: ReactNode;
  chat: ReactNode;
  chatOpen: boolean;
}

/**
 * The right side: what waits for an answer above, the conversation below. A
 * card stands here whether the conversation is open or not; with neither, the
 * dock takes no room. Both stay mounted, so that closing loses nothing.
 */
export function Dock({ approvals, chat, chatOpen }: DockProps) {
  return (
    <aside className={classes.dock} aria-label={i18n._('Assistant')}>
      <div className={classes.approvals}>{approvals}</div>
      <div className={classes.chat} hidden={!chatOpen}>
        {chat}
      </div>
    </aside>
  );
}
