import { Button, Group, Text, VisuallyHidden } from '@mantine/core';
import { IconHistory, IconPlus, IconX } from '@tabler/icons-react';
import { type ReactNode, useCallback, useRef, useState } from 'react';
import { i18n } from '../../language/i18n';
import { useCapability } from '../../queries/useCapability';
import { IconAction } from '../../ui/form/IconAction';
import { KeyLayer } from '../../ui/keys/useKeys';
import { useStickToBottom } from '../../ui/list/useStickToBottom';
import { useKept } from '../../ui/window/useKept';
import { CapabilityButton } from '../actions/CapabilityButton';
import { useAsked } from '../approvals/useCards';
import { WRITING } from '../desk/useOpenChat';
import { AutonomySelect } from './AutonomySelect';
import classes from './Chat.module.css';
import { Composer } from './Composer';
import { Conversations } from './Conversations';
import { NextSteps } from './NextSteps';
import { OpenRecords, useOpenRecords } from './OpenRecords';
import { ThreadItems } from './ThreadItems';
import { lastSaid, replyOf } from './thread';
import { useThread } from './useThread';
import { Welcome, type WelcomeWords } from './Welcome';

interface ChatPanelProps extends WelcomeWords {
  open: boolean;
  onClose: () => void;
  onOpenTrace: (requestId: string) => void;
  /** Further actions of the application after a failure of the model. */
  waysOn?: (onAgain: () => void) => ReactNode;
}

/** The conversation with the assistant. A turn goes on when the panel is closed. */
export default function ChatPanel({ open, onClose, onOpenTrace, waysOn, ...words }: ChatPanelProps) {
  const { thread, setAutonomy, send, stop, startOver, resume, tap } = useThread();
  const { records, pages, hide } = useOpenRecords();
  const { data: status } = useCapability('assistant.status', {}, { source: 'Chat' });
  const [listing, setListing] = useState(false);
  const [draft, setDraft] = useState<string>();
  const [writing, setWriting] = useState(0);
  const [wished = 0] = useKept<number>(WRITING);
  const panel = useRef<HTMLElement>(null);
  const scroller = useStickToBottom(thread);
  const running = thread.running !== undefined;
  const builtIn = (thread.endpoint ?? status?.endpoint) === 'built-in';
  const write = () => setWriting((wish) => wish + 1);
  const asked = useAsked();
  const isAsked = thread.items.some((item) => item.kind === 'call' && asked.includes(item.requestId ?? ''));
  const begin = () => {
    setListing(false);
    startOver();
    write(); // the pressed button disappears, so the focus moves
  };
  const speak = (text: string) => {
    setListing(false);
    send(text, pages());
    write(); // the pressed button disappears or is disabled
  };
  const drafted = useCallback(() => setDraft(undefined), []);
  const again = () => speak(lastSaid(thread) ?? '');

  return (
    <KeyLayer kind="page" within={panel} onEscape={running ? stop : undefined}>
      <section ref={panel} className={classes.panel} aria-label={i18n._('Conversation')} data-conversation>
        <div className={classes.bar}>
          <Text fw={600}>
            {i18n._('Assistant')}{' '}
            <Text span size="xs" c="dimmed" fw={400}>
              {builtIn ? i18n._('built in') : (thread.model ?? status?.model)}
            </Text>
          </Text>
          <Group gap={2}>
            {!running && (
              <IconAction label={i18n._('Conversations')} pressed={listing} onClick={() => setListing(!listing)}>
                <IconHistory size={16} aria-hidden />
              </IconAction>
            )}
            {!running && thread.items.length > 0 && (
              <IconAction label={i18n._('New conversation')} onClick={begin}>
                <IconPlus size={16} aria-hidden />
              </IconAction>
            )}
            <IconAction label={i18n._('Close the assistant')} hint={i18n._('Close')} onClick={onClose}>
              <IconX size={16} aria-hidden />
            </IconAction>
          </Group>
        </div>
        {listing && !running ? (
          <Conversations
            current={thread.conversationId}
            onOpen={(id) => {
              setListing(false);
              resume(id);
              write();
            }}
            onRemoved={(id) => id === thread.conversationId && startOver()}
          />
        ) : (
          <div
            ref={scroller}
            className={classes.thread}
            role="log"
            aria-live="off" // a reply comes in pieces
            aria-label={i18n._('What was said')}
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
            tabIndex={0}
          >
            {thread.items.length === 0 && !thread.conversationId && <Welcome status={status} {...words} />}
            <ThreadItems {...{ thread, builtIn, onOpenTrace }} onEdit={running ? undefined : setDraft} />
            {running && (
              <Text size="xs" c="dimmed" role="status">
                {isAsked ? i18n._('Waiting for you') : (thread.waiting ?? i18n._('Working…'))}
              </Text>
            )}
            {!running && thread.broken && <AfterFailure onAgain={again}>{waysOn?.(again)}</AfterFailure>}
          </div>
        )}
        <VisuallyHidden role="status">{!running && replyOf(thread)}</VisuallyHidden>
        {!running && !listing && <NextSteps {...{ thread, tap }} send={speak} />}
        {status?.enabled === false && !running ? (
          <SwitchedOff />
        ) : (
          <>
            <OpenRecords {...{ records, hide }} onHidden={write} />
            <Composer
              {...{ open, running, draft }}
              onDraft={drafted}
              writing={writing + wished}
              last={lastSaid(thread)}
              onSend={speak}
              onStop={() => {
                stop();
                write();
              }}
            />
            <AutonomySelect {...{ open, running }} value={thread.autonomy ?? 'ask'} onChange={setAutonomy} />
          </>
        )}
      </section>
    </KeyLayer>
  );
}

/** Replaces the composer while the assistant is switched off. */
function SwitchedOff() {
  return (
    <div className={classes.off} role="status">
      <Text fw={600}>{i18n._('The assistant is switched off')}</Text>
      <Text size="xs" c="dimmed" mb="xs">
        {i18n._('Everything else works. The conversation is kept.')}
      </Text>
      <CapabilityButton name="assistant.setEnabled" args={{ enabled: true }} source="Chat">
        {i18n._('Switch it on')}
      </CapabilityButton>
    </div>
  );
}

interface AfterFailureProps {
  onAgain: () => void;
  children?: ReactNode;
}

/** Actions after a failure of the model: try again, and those of the application. */
function AfterFailure({ onAgain, children }: AfterFailureProps) {
  return (
    <Group gap="xs" role="group" aria-label={i18n._('Ways on')}>
      <Button variant="default" onClick={onAgain}>
        {i18n._('Try again')}
      </Button>
      {children}
    </Group>
  );
}
