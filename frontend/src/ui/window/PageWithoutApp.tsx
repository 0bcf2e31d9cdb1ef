import type { ReactNode } from 'react';
import classes from './PageWithoutApp.module.css';

interface PageWithoutAppProps {
  title: string;
  wide?: boolean;
  /** What stands above the title. */
  above?: ReactNode;
  children: ReactNode;
}

/** A page that stands alone in the window, without the frame of the desk. */
export function PageWithoutApp({ title, wide, above, children }: PageWithoutAppProps) {
  return (
    <main className={classes.page} data-wide={wide || undefined}>
      {above}
      <h1 className={classes.title}>{title}</h1>
      {children}
    </main>
  );
}
