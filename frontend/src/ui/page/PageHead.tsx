import { type ReactNode, useEffect, useRef } from 'react';
import { focusIsLost } from '../keys/useFocusLeft';
import classes from './PageHead.module.css';

interface PageHeadProps {
  title: string;
  /** Shown before the title, such as the way back. */
  before?: ReactNode;
  /** Shown beside the title: filters and actions. */
  children?: ReactNode;
}

/**
 * The head of a page. When the page that had the focus is gone, the focus comes
 * here, so that a keyboard never starts again at the top of the window.
 */
export function PageHead({ title, before, children }: PageHeadProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // Only what is laid out takes the focus: with the next frame it is.
    const frame = requestAnimationFrame(() => focusIsLost() && heading.current?.focus());
    return () => cancelAnimationFrame(frame);
  }, []);
  return (
    <div className={classes.head}>
      {before}
      <h1 ref={heading} tabIndex={-1} className={classes.title}>
        {title}
      </h1>
      {children}
    </div>
  );
}
