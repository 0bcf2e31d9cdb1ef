import { useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { KeyLayer } from '../../ui/keys/useKeys';
import { makeInert } from '../../ui/window/makeInert';
import { UnderLinkBar } from '../shell/LinkBar';
import classes from './LockScreen.module.css';
import { SignIn } from './SignIn';

/** Covers the window until a person signs in. The desk behind it stays as it was, inert, and hears no key. */
export function LockScreen() {
  const screen = useRef<HTMLDivElement>(null);
  const [focused] = useState(() => document.activeElement); // before a field here takes it
  useLayoutEffect(() => (screen.current ? makeInert(screen.current, focused) : undefined), [focused]);
  return createPortal(
    <KeyLayer kind="lock">
      <div ref={screen} className={classes.screen}>
        <UnderLinkBar>
          <SignIn />
        </UnderLinkBar>
      </div>
    </KeyLayer>,
    document.body,
  );
}
