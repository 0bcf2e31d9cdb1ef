import type { ReactNode } from 'react';
import classes from './Alone.module.css';

interface AloneProps {
  title: string;
  wide?: boolean;
  /** What stands above the title. */
  above?: ReactNode;
  children: ReactNode;
}

/** A page that stands alone in the window, without the frame of the desk. */
export function Alone({ title, wide, above, children }: AloneProps) {
  return (
    <main className={classes.page} data-wide={wide || undefined}>
      {above}
      <h1 className={classes.title}>{title}</h1>
      {children}
    </main>
  );
}
