import { ActionIcon, Button, Group, Text, Tooltip } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { useRef } from 'react';
import { useStickToBottom } from '../../ui/useStickToBottom';
import { CallCard } from './CallCard';
import classes from './Chat.module.css';
import { Composer } from './Composer';
import { Message } from './Message';
import { useThread } from './useThread';

interface ChatPanelProps {
  open: boolean;
  onClose: () => void;
  onOpenTrace: (requestId: string) => void;
}

/** The conversation with the assistant. Closing it stops nothing and loses nothing. */
export default function ChatPanel({ open, onClose, onOpenTrace }: ChatPanelProps) {
  const { thread, send, stop, startOver } = useThread();
  const scroller = useRef<HTMLDivElement>(null);
  useStickToBottom(scroller, thread);
  const running = thread.running !== undefined;

  return (
    <section className={classes.panel} aria-label="Conversation" data-conversation>
      <div className={classes.bar}>
        <Text fw={600}>
          Assistant{' '}
          <Text span size="xs" c="dimmed" fw={400}>
            {thread.model}
          </Text>
        </Text>
        <Group gap={2}>
          {!running && thread.items.length > 0 && (
            <Tooltip label="New conversation">
              <ActionIcon aria-label="New conversation" onClick={startOver}>
                <IconPlus size={16} aria-hidden />
              </ActionIcon>
            </Tooltip>
          )}
          <Tooltip label="Close">
            <ActionIcon aria-label="Close the assistant" onClick={onClose}>
              <IconX size={16} aria-hidden />
            </ActionIcon>
          </Tooltip>
        </Group>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <div ref={scroller} className={classes.thread} role="log" aria-label="What was said" tabIndex={0}>
        {thread.items.length === 0 && <Welcome />}
        {thread.items.map((item) =>
          item.kind === 'call' ? (
            <CallCard key={item.id} call={item} names={thread.names} onOpenTrace={onOpenTrace} />
          ) : (
            <Message key={item.id} said={item} />
          ),
        )}
        {running && (
          <Text size="xs" c="dimmed" role="status">
            {thread.waiting ?? 'Working…'}
          </Text>
        )}
      </div>
      {!running && thread.choices.length > 0 && (
        <Group gap="xs" className={classes.choices} role="group" aria-label="Suggested answers">
          {thread.choices.map((choice) => (
            <Button key={choice} variant="light" size="compact-sm" onClick={() => send(choice)}>
              {choice}
            </Button>
          ))}
        </Group>
      )}
      <Composer open={open} running={running} onSend={send} onStop={stop} />
    </section>
  );
}

function Welcome() {
  return (
    <div className={classes.welcome}>
      <Text fw={600}>Say what you want done</Text>
      <Text size="sm" c="dimmed">
        For example: “Add two bags of the Guji to Ana’s cart.” Looking things up needs no question; whatever cannot be
        taken back is shown to you first.
      </Text>
    </div>
  );
}
