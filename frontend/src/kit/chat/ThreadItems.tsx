import { Button } from '@mantine/core';
import { memo, useState } from 'react';
import { i18n } from '../../language/i18n';
import { CallCard } from './CallCard';
import { KnowingRecords } from './KnownRecords';
import { folded, LookedUp } from './LookedUp';
import { Message } from './Message';
import { isLast, type Thread } from './thread';

interface ThreadItemsProps {
  thread: Thread;
  /** The built-in assistant answers. */
  builtIn: boolean;
  onOpenTrace: (requestId: string) => void;
  /** Puts a sentence of the person's back where it is written; absent where that cannot be. */
  onEdit?: (text: string) => void;
}

/** As many items as are drawn at first, and with each step back. */
const STEP = 60;

// A reply comes in pieces: what is there already is not drawn again for each.
const MemoCall = memo(CallCard);
const MemoMessage = memo(Message);

/** What was said and called in a conversation: the latest of it, and earlier parts when they are wanted. */
export function ThreadItems({ thread, builtIn, onOpenTrace, onEdit }: ThreadItemsProps) {
  const { conversationId, items } = thread;
  const [back, setBack] = useState({ conversationId, shown: STEP });
  const shown = back.conversationId === conversationId ? back.shown : STEP;
  const earlier = Math.max(items.length - shown, 0);
  return (
    <KnowingRecords items={items}>
      {earlier > 0 && (
        <Button variant="default" size="compact-sm" onClick={() => setBack({ conversationId, shown: shown + STEP })}>
          {i18n._('Show earlier ({count, number})', { count: earlier })}
        </Button>
      )}
      {folded(thread, items.slice(earlier)).map((item) =>
        Array.isArray(item) ? (
          <LookedUp key={item[0]?.id} calls={item} onOpenTrace={onOpenTrace} />
        ) : item.kind === 'call' ? (
          <MemoCall key={item.id} call={item} last={isLast(thread, item)} onOpenTrace={onOpenTrace} />
        ) : (
          <MemoMessage
            key={item.id}
            said={item}
            passedOn={builtIn}
            onEdit={item.kind === 'person' ? onEdit : undefined}
          />
        ),
      )}
    </KnowingRecords>
  );
}
