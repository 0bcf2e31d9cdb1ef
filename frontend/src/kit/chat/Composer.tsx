import { Button, Textarea } from '@mantine/core';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { i18n } from '../../language/i18n';
import { useDraft } from '../../ui/window/useKept';
import classes from './Chat.module.css';

interface ComposerProps {
  open: boolean;
  running: boolean;
  /** A sentence to begin with, such as one that is said again; another object is another wish. */
  draft?: { text: string };
  onSend: (text: string) => void;
  onStop: () => void;
}

/** The message field: Enter sends, Shift and Enter begins a new line. */
export function Composer({ open, running, draft, onSend, onStop }: ComposerProps) {
  const input = useRef<HTMLTextAreaElement>(null);
  const [text = '', setText] = useDraft<string>('sentence');
  useEffect(() => {
    if (open) input.current?.focus();
  }, [open]);

  useEffect(() => {
    if (!draft) return;
    setText(draft.text);
    input.current?.focus();
  }, [draft, setText]);

  const send = () => {
    if (!text.trim() || running) return;
    onSend(text.trim());
    setText(undefined);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  return (
    <div className={classes.composer}>
      <Textarea
        ref={input}
        size="sm"
        aria-label={i18n._('Message to the assistant')}
        placeholder={i18n._('Ask, or say what to do')}
        autosize
        minRows={1}
        maxRows={6}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      {running ? (
        <Button variant="default" size="sm" onClick={onStop}>
          {i18n._('Stop')}
        </Button>
      ) : (
        <Button size="sm" onClick={send} disabled={!text.trim()}>
          {i18n._('Send')}
        </Button>
      )}
    </div>
  );
}
