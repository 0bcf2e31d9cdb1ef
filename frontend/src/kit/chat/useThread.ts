import { useCallback, useEffect, useRef } from 'react';
import { useClient } from '../../asking/BusProvider';
import type { ChatUpdate, Suggestion } from '../../door/chat';
import { asBusError } from '../../door/error';
import { newId } from '../../door/ids';
import { translateEvent } from '../../door/translateAnswers';
import type { AgentContext } from '../../ui/window/useAgentContext';
import { useDraft, useKept } from '../../ui/window/useKept';
import { Frames } from './frames';
import { applyUpdate, emptyThread, failed, isDeclined, recalled, said, type Thread, tapped } from './thread';

/** The conversation and the actions of the person on it. The application keeps it; the page keeps its id. */
export function useThread() {
  const client = useClient();
  const [id, keepId] = useDraft<string>('conversation');
  const [kept, keep] = useKept<Thread>('thread');
  const thread = kept ?? emptyThread;
  const setThread = useCallback(
    (next: Thread | ((before: Thread) => Thread)) =>
      keep((before = emptyThread) => (next instanceof Function ? next(before) : next)),
    [keep],
  );
  const read = useCallback(
    async (id: string) => {
      const { data } = await client.invoke('conversation.get', { conversationId: id }, { source: 'Chat' });
      const updates = data.updates.map((update) => translateEvent('chat', update) as ChatUpdate);
      return recalled(id, { ...data, updates }, Date.now());
    },
    [client],
  );
  const found = useRef(kept ? undefined : id); // when the page was loaded
  useEffect(() => {
    const frames = new Frames((updates) =>
      setThread((before) => updates.reduce((thread, update) => applyUpdate(thread, update, Date.now()), before)),
    );
    const { current: lost } = found;
    found.current = undefined;
    if (lost) {
      frames.hold();
      read(lost)
        .then(setThread, () => setThread({ ...emptyThread, conversationId: lost }))
        .finally(() => frames.release());
    }
    return client.on('chat', (update) => frames.add(update));
  }, [client, read, setThread]);
  useEffect(() => {
    if (!found.current && kept) keepId(kept.conversationId);
  }, [kept, keepId]);

  const { conversationId } = thread;
  /** The conversation that a first sentence begins: the next one belongs to it, however soon it follows. */
  const beginning = useRef<Promise<string | undefined>>(undefined);
  const send = useCallback(
    async (text: string, pages: readonly AgentContext[]) => {
      setThread((before) => said(before, newId(), text));
      const begun = conversationId ? undefined : beginning.current;
      const sending = begun
        ? begun.then((id) => client.send(text, id, pages))
        : client.send(text, conversationId, pages);
      if (!conversationId && !begun) {
        beginning.current = sending.then(
          (sent) => sent.conversation_id,
          () => undefined,
        );
      }
      try {
        const sent = await sending;
        setThread((before) => ({ ...before, conversationId: sent.conversation_id }));
      } catch (thrown) {
        setThread((before) => failed(before, newId(), asBusError(thrown).message));
      }
    },
    [client, conversationId, setThread],
  );
  const stop = useCallback(() => {
    if (conversationId) client.stop(conversationId);
  }, [client, conversationId]);
  const startOver = useCallback(() => {
    beginning.current = undefined;
    setThread(emptyThread);
  }, [setThread]);
  const resume = useCallback(
    async (id: string) => {
      try {
        setThread(await read(id));
      } catch (thrown) {
        setThread(failed(emptyThread, newId(), asBusError(thrown).message));
      }
    },
    [read, setThread],
  );
  /** Invokes a suggestion as the person. */
  const tap = useCallback(
    async (suggestion: Suggestion) => {
      const requestId = newId();
      const call = { id: requestId, requestId, startedAt: Date.now() };
      setThread((before) => tapped(before, suggestion, call));
      const outcome = await client
        .invokeByName(suggestion.capability, suggestion.arguments, {
          ...{ source: 'Chat', requestId, idempotencyKey: requestId, parentRequestId: suggestion.parent_request_id },
        })
        .then(
          () => ({ ok: true }),
          (thrown) => {
            const { message, recoveryHint: hint, reason } = asBusError(thrown);
            return { ok: false, declined: isDeclined({ reason }), message, hint };
          },
        );
      setThread((before) => tapped(before, suggestion, { ...call, outcome: { ...outcome, at: Date.now() } }));
    },
    [client, setThread],
  );

  return { thread, send, stop, startOver, resume, tap };
}
