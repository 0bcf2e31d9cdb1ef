import { VisuallyHidden } from '@mantine/core';
import classes from './Chat.module.css';
import { Markdown } from './Markdown';
import type { Said } from './thread';

const speakers: Record<Said['kind'], string> = {
  person: 'You said:',
  assistant: 'Assistant:',
  note: 'Note:',
  problem: 'Problem:',
};

/** One sentence in the conversation. Only the assistant's is formatted. */
export function Message({ said }: { said: Said }) {
  return (
    <div className={classes.message} data-kind={said.kind} role={said.kind === 'problem' ? 'alert' : undefined}>
      <VisuallyHidden>{speakers[said.kind]}</VisuallyHidden>
      {said.kind === 'assistant' ? <Markdown text={said.text} /> : said.text}
    </div>
  );
}
