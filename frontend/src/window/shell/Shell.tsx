import type { ReactNode } from 'react';
import { i18n } from '../../language/i18n';
import type { Place } from '../../shop/navigation';
import { DraftBar } from './DraftBar';
import { LinkBar } from './LinkBar';
import { NavRail } from './NavRail';
import classes from './Shell.module.css';
import { TopBar } from './TopBar';

interface ShellProps {
  page: Place['page'];
  onGo: (page: Place['page']) => void;
  chatOpen: boolean;
  onToggleChat: () => void;
  onOpenPalette: () => void;
  children: ReactNode;
  /** The activity bell, in the bar. */
  activity: ReactNode;
  /** The tour, above the page; null without one. */
  tour: ReactNode;
  /** The content of the dock; null when it is closed. */
  dock: ReactNode;
}

/** The frame of the window: bar, rail, page and dock. */
export function Shell(props: ShellProps) {
  const { page, onGo, chatOpen, onToggleChat, onOpenPalette, children, activity, tour, dock } = props;
  return (
    <div className={classes.frame}>
      <a className={classes.skip} href="#main">
        {i18n._('Skip to the page')}
      </a>
      <div className={classes.draft}>
        <LinkBar />
        <DraftBar />
      </div>
      <TopBar chatOpen={chatOpen} onToggleChat={onToggleChat} onOpenPalette={onOpenPalette} activity={activity} />
      <NavRail page={page} onGo={onGo} />
      <div className={classes.tour} data-beside-chat={chatOpen || undefined}>
        {tour}
      </div>
      <main id="main" tabIndex={-1} className={classes.main}>
        {children}
      </main>
      {dock}
    </div>
  );
}
