import type { ReactNode } from 'react';
import classes from './Alone.module.css';

interface AloneProps {
  title: string;
  wide?: boolean;
  children: ReactNode;
}

/** A page that stands alone in the window, without the frame of the desk. */
export function Alone({ title, wide, children }: AloneProps) {
  return (
    <main className={classes.page} data-wide={wide || undefined}>
      <h1 className={classes.title}>{title}</h1>
      {children}
    </main>
  );
}
