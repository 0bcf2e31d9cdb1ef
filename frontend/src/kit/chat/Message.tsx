import { VisuallyHidden } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { useRef } from 'react';
import { i18n } from '../../language/i18n';
import { translateFromGo } from '../../language/translateFromGo';
import { CopyButton } from '../../ui/form/CopyButton';
import { IconAction } from '../../ui/form/IconAction';
import { MentionedText } from '../MentionedText';
import classes from './Chat.module.css';
import { Markdown } from './Markdown';
import type { Said } from './thread';

const speakers: Record<Said['kind'], string> = {
  person: i18n._('You said:'),
  assistant: i18n._('Assistant:'),
  note: i18n._('Note:'),
  problem: i18n._('Problem:'),
};

interface MessageProps {
  said: Said;
  /** Sentences of the application are passed on in it: they are translated once it is whole. */
  passedOn?: boolean;
  /** Puts the person's own sentence back where it is written; absent where that cannot be. */
  onEdit?: (text: string) => void;
}

/** One sentence in the conversation. Only the assistant's is formatted. */
export function Message({ said, passedOn, onEdit }: MessageProps) {
  const text = useRef<HTMLDivElement>(null);
  const spoken = said.kind === 'assistant';
  const reply = passedOn && said.whole ? translateReply(said.text) : said.text;
  return (
    <div className={classes.message} data-kind={said.kind} role={said.kind === 'problem' ? 'alert' : undefined}>
      <VisuallyHidden>{speakers[said.kind]}</VisuallyHidden>
      {spoken ? (
        <div ref={text} className={classes.reply}>
          <Markdown text={reply} />
        </div>
      ) : (
        <MentionedText sentence={said.text} />
      )}
      {spoken && said.whole && (
        <span className={classes.edit}>
          <CopyButton label={i18n._('Copy the reply')} text={reply} shown={text} />
        </span>
      )}
      {said.kind === 'person' && onEdit && (
        <span className={classes.edit}>
          <IconAction label={i18n._('Edit and say again')} onClick={() => onEdit(said.text)}>
            <IconPencil size={14} aria-hidden />
          </IconAction>
        </span>
      )}
    </div>
  );
}

/** A label before what it names: "Cart total: $47.83." */
const labelled = /^([^:.]{1,30}): (.+)$/;

/** Translates what the built-in assistant passes on of an answer, sentence by sentence; its own words are the person's language. */
function translateReply(text: string): string {
  return text.replace(/^(\s*- )?(.+)$/gm, (_, bullet = '', line: string) => bullet + sentences(line));
}

function sentences(line: string): string {
  return line
    .split(/(?<=[.?!]) (?=[\p{Lu}\d“"])/u)
    .map((sentence) => {
      const [, label, rest = ''] = labelled.exec(sentence) ?? [];
      return label ? `${translateFromGo(label)}: ${translateFromGo(rest)}` : translateFromGo(sentence);
    })
    .join(' ');
}
