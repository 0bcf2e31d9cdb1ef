import { useRef } from 'react';
import { i18n } from '../../language/i18n';
import classes from './CopiedText.module.css';
import { CopyButton } from './CopyButton';

/** A text that is copied to another program or typed there. The label says where. */
export function CopiedText({ label, text }: { label: string; text: string }) {
  const shown = useRef<HTMLPreElement>(null);
  return (
    <figure className={classes.copied} aria-label={label}>
      <figcaption>{label}</figcaption>
      <pre ref={shown}>{text}</pre>
      <CopyButton label={i18n._('Copy')} {...{ text, shown }} />
    </figure>
  );
}
