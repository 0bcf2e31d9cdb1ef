import { useCallback, useEffect, useRef } from 'react';
import { useClient } from '../../asking/BusProvider';
import type { Suggestion } from '../../door/chat';
import { asBusError } from '../../door/error';
import { newId } from '../../door/ids';
import { useDraft } from '../../ui/window/useKept';
import {
  applyUpdate,
  caughtUp,
  continued,
  emptyThread,
  failed,
  interrupted,
  said,
  type Thread,
  tapped,
} from './thread';

/** The conversation and the actions of the person on it. */
export function useThread() {
  const client = useClient();
  const [kept, keep] = useDraft<Thread>('conversation');
  const thread = kept ?? emptyThread;
  const setThread = useCallback(
    (next: Thread | ((before: Thread) => Thread)) =>
      keep((before = emptyThread) => (next instanceof Function ? next(before) : next)),
    [keep],
  );
  useEffect(
    () => client.on('chat', (update) => setThread((before) => applyUpdate(before, update, Date.now()))),
    [client, setThread],
  );

  useCaughtUp(thread, setThread);
  const { conversationId } = thread;
  const send = useCallback(
    async (text: string) => {
      setThread((before) => said(before, newId(), text));
      try {
        const receipt = await client.send(text, conversationId);
        setThread((before) => ({ ...before, conversationId: receipt.conversation_id }));
      } catch (thrown) {
        setThread((before) => failed(before, newId(), asBusError(thrown).message));
      }
    },
    [client, conversationId, setThread],
  );
  const stop = useCallback(() => {
    if (conversationId) client.stop(conversationId);
  }, [client, conversationId]);
  const startOver = useCallback(() => setThread(emptyThread), [setThread]);
  const resume = useCallback(
    async (id: string) => {
      try {
        const { data } = await client.invoke('conversation.get', { conversationId: id }, { source: 'Chat' });
        setThread(continued(id, data.messages));
      } catch (thrown) {
        setThread(failed(emptyThread, newId(), asBusError(thrown).message));
      }
    },
    [client, setThread],
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
            const { message, recoveryHint: hint } = asBusError(thrown);
            return { ok: false, message, hint };
          },
        );
      setThread((before) => tapped(before, suggestion, { ...call, outcome: { ...outcome, at: Date.now() } }));
    },
    [client, setThread],
  );

  return { thread, send, stop, startOver, resume, tap };
}

/**
 * A page that was loaded in the middle of a turn goes on with it. What was told
 * meanwhile it did not hear: if the turn is over, it takes what was said from where
 * that is kept.
 */
function useCaughtUp(thread: Thread, setThread: (next: (before: Thread) => Thread) => void): void {
  const client = useClient();
  const found = useRef(thread); // when the page was loaded
  useEffect(() => {
    const { conversationId, running } = found.current;
    if (!conversationId || !running) return;
    setThread(interrupted);
    client
      .invoke('conversation.get', { conversationId }, { source: 'Chat' })
      .then(({ data }) => setThread((before) => caughtUp(before, running, data)))
      .catch(() => undefined); // it goes on as it is
  }, [client, setThread]);
}
