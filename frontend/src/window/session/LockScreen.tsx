import { useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { makeInert } from '../../ui/window/makeInert';
import classes from './LockScreen.module.css';
import { SignIn } from './SignIn';

/** Stands before everything until somebody signs in. What is behind it stays as it was, out of sight and out of reach. */
export function LockScreen() {
  const screen = useRef<HTMLDivElement>(null);
  const [focused] = useState(() => document.activeElement); // before a field here takes it
  useLayoutEffect(() => (screen.current ? makeInert(screen.current, focused) : undefined), [focused]);
  return createPortal(
    <div ref={screen} className={classes.screen}>
      <SignIn />
    </div>,
    document.body,
  );
}
