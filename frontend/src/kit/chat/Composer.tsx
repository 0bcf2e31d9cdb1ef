import { Button, Textarea } from '@mantine/core';
import { type KeyboardEvent, useCallback, useEffect, useRef } from 'react';
import { type Mention, sentenceOf, typedOf } from '../../bridge/mentions';
import { i18n } from '../../language/i18n';
import { keyed } from '../../ui/keys/keyed';
import { KeyLayer } from '../../ui/keys/useKeys';
import { useDraft } from '../../ui/window/useKept';
import classes from './Chat.module.css';
import { MentionList } from './MentionList';
import { useMentions } from './useMentions';

interface ComposerProps {
  open: boolean;
  running: boolean;
  /** A sentence that replaces the text, such as an earlier one that the person repeats. */
  draft?: string;
  /** Called when the draft is in the field. */
  onDraft: () => void;
  /** The last sentence. The up arrow puts it into an empty field. */
  last?: string;
  /** Each new number focuses the field. */
  writing?: number;
  onSend: (text: string) => void;
  onStop: () => void;
}

const none: readonly Mention[] = [];

/** The message field: Enter sends, Shift and Enter begins a new line, "@" finds a record. */
export function Composer({ open, running, draft, onDraft, last, writing, onSend, onStop }: ComposerProps) {
  const input = useRef<HTMLTextAreaElement>(null);
  const [text = '', setText] = useDraft<string>('sentence');
  const [mentions = none, setMentions] = useDraft<readonly Mention[]>('mentions');
  const mentioning = useMentions(input, {
    text,
    mentions,
    onChange: (next, records) => {
      setText(next);
      setMentions(records);
    },
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new number focuses
  useEffect(() => {
    if (open) input.current?.focus();
  }, [open, writing]);

  const put = useCallback(
    (sentence: string) => {
      const typed = typedOf(sentence);
      setText(typed.text);
      setMentions(typed.mentions);
    },
    [setText, setMentions],
  );
  useEffect(() => {
    if (draft === undefined) return;
    put(draft);
    onDraft();
    input.current?.focus();
  }, [draft, put, onDraft]);

  const send = () => {
    if (!text.trim() || running) return;
    onSend(sentenceOf(text.trim(), mentions));
    setText(undefined);
    setMentions(undefined);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    mentioning.onKeyDown(event);
    if (event.defaultPrevented || event.shiftKey || event.nativeEvent.isComposing) return;
    if (event.key === 'Enter') {
      if (!event.repeat) send();
    } else if (event.key === 'ArrowUp' && text === '' && last) put(last);
    else return;
    event.preventDefault();
  };
  return (
    <KeyLayer kind="page" within={input} onEscape={mentioning.leave}>
      <div className={classes.composer}>
        <MentionList {...mentioning} />
        <Textarea
          ref={input}
          size="sm"
          aria-label={i18n._('Message to the assistant')}
          placeholder={i18n._('Ask, or say what to do; @ finds a record')}
          autosize
          minRows={1}
          maxRows={6}
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value);
            mentioning.onType(event.currentTarget.value);
          }}
          onSelect={mentioning.onCaret}
          onKeyDown={onKeyDown}
          {...mentioning.field}
        />
        {running ? (
          <Button variant="default" size="sm" onClick={onStop} {...keyed('Escape')}>
            {i18n._('Stop')}
          </Button>
        ) : (
          <Button size="sm" onClick={send} disabled={!text.trim()}>
            {i18n._('Send')}
          </Button>
        )}
      </div>
    </KeyLayer>
  );
}
