import { IconArrowLeft } from '@tabler/icons-react';
import { type ReactNode, useId } from 'react';
import { IconAction } from '../form/IconAction';
import { useFocusLeft } from '../keys/useFocusLeft';
import classes from './Page.module.css';

/** A page of the window: its head, and below what fills the rest. */
export function Page({ children }: { children: ReactNode }) {
  return (
    <div ref={useFocusLeft<HTMLDivElement>()} className={classes.page}>
      {children}
    </div>
  );
}

/** The scrolling part below the head of a page, with a name of its own. */
export function PageBody({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className={classes.body} tabIndex={0} aria-label={label}>
      {children}
    </section>
  );
}

/** Two columns, one below the other where the page is narrow. */
export function Split({ children, side }: { children: ReactNode; side: ReactNode }) {
  return (
    <div className={classes.split}>
      <div>{children}</div>
      <div className={classes.side}>{side}</div>
    </div>
  );
}

interface PartProps {
  title: string;
  /** Buttons for the whole part. */
  actions?: ReactNode;
  children: ReactNode;
}

/** One part of a page under its own heading. */
export function Part({ title, actions, children }: PartProps) {
  const id = useId();
  return (
    <section className={classes.part} aria-labelledby={id}>
      <div className={classes.partHead}>
        <h2 id={id}>{title}</h2>
        {actions}
      </div>
      {children}
    </section>
  );
}

/** The way from one thing back to the list of them. */
export function BackButton({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <IconAction label={label} onClick={onClick}>
      <IconArrowLeft size={17} aria-hidden />
    </IconAction>
  );
}
