import { Button, Textarea } from '@mantine/core';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import classes from './Chat.module.css';

interface ComposerProps {
  open: boolean;
  running: boolean;
  /** A sentence to begin with, such as one that is said again; another object is another wish. */
  draft?: { text: string };
  onSend: (text: string) => void;
  onStop: () => void;
}

/** Where the person says something: Enter sends, Shift and Enter begins a new line. */
export function Composer({ open, running, draft, onSend, onStop }: ComposerProps) {
  const input = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState('');
  useEffect(() => {
    if (open) input.current?.focus();
  }, [open]);

  useEffect(() => {
    if (!draft) return;
    setText(draft.text);
    input.current?.focus();
  }, [draft]);

  const send = () => {
    if (!text.trim() || running) return;
    onSend(text.trim());
    setText('');
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
        aria-label="Message to the assistant"
        placeholder="Ask, or say what to do"
        autosize
        minRows={1}
        maxRows={6}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      {running ? (
        <Button variant="default" size="sm" onClick={onStop}>
          Stop
        </Button>
      ) : (
        <Button size="sm" onClick={send} disabled={!text.trim()}>
          Send
        </Button>
      )}
    </div>
  );
}
