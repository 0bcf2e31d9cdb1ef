import { IconCheck, IconCopy } from '@tabler/icons-react';
import { type RefObject, useState } from 'react';
import { i18n } from '../../language/i18n';
import { copyText } from '../window/copyText';
import { IconAction } from './IconAction';

interface CopyButtonProps {
  label: string;
  text: string;
  /** What shows the text. */
  shown: RefObject<HTMLElement | null>;
}

/** Copies a text; says for a moment that it did. */
export function CopyButton({ label, text, shown }: CopyButtonProps) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    setCopied(await copyText(text, shown.current));
    setTimeout(() => setCopied(false), 2_000);
  };
  return (
    <IconAction label={copied ? i18n._('Copied') : label} onClick={copy}>
      {copied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}
    </IconAction>
  );
}
