import { UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { memo, useState } from 'react';
import { i18n } from '../../language/i18n';
import { CallCard } from './CallCard';
import classes from './Chat.module.css';
import { type Called, isLast, type Thread } from './thread';

interface LookedUpProps {
  calls: Called[];
  onOpenTrace: (requestId: string) => void;
}

/** The look-ups of the assistant on the way to an answer: one line, with the calls behind it. */
export const LookedUp = memo(
  ({ calls, onOpenTrace }: LookedUpProps) => {
    const [open, setOpen] = useState(false);
    const Chevron = open ? IconChevronDown : IconChevronRight;
    const titles = [...new Set(calls.map((call) => call.title))];
    return (
      <>
        <UnstyledButton className={classes.lookedUp} aria-expanded={open} onClick={() => setOpen(!open)}>
          <Chevron size={14} aria-hidden />
          {i18n._('Looked up: {what}', { what: titles.join(', ') })}
        </UnstyledButton>
        {open && calls.map((call) => <CallCard key={call.id} call={call} onOpenTrace={onOpenTrace} />)}
      </>
    );
  },
  (a, b) =>
    a.onOpenTrace === b.onOpenTrace && a.calls.length === b.calls.length && a.calls.every((c, i) => c === b.calls[i]),
);

/** The items of a thread, with successive look-ups on the way to an answer as one list. */
export function folded(thread: Thread, items: Thread['items']): (Thread['items'][number] | Called[])[] {
  const rows: (Thread['items'][number] | Called[])[] = [];
  for (const item of items) {
    if (item.kind !== 'call' || !item.outcome?.ok || item.sideEffect !== 'pure' || isLast(thread, item)) {
      rows.push(item);
      continue;
    }
    const before = rows.at(-1);
    if (Array.isArray(before)) before.push(item);
    else rows.push([item]);
  }
  return rows;
}
