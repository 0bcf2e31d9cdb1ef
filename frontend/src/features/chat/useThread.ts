import { useCallback, useEffect, useState } from 'react';
import { useClient } from '../../bus/BusProvider';
import type { Suggestion } from '../../bus/chat';
import { asBusError } from '../../bus/error';
import { newId } from '../../bus/id';
import { applyUpdate, continued, emptyThread, failed, said, tapped } from './thread';

/** The conversation, and what the person can do to it. */
export function useThread() {
  const client = useClient();
  const [thread, setThread] = useState(emptyThread);
  useEffect(
    () => client.on('chat', (update) => setThread((before) => applyUpdate(before, update, Date.now()))),
    [client],
  );

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
    [client, conversationId],
  );
  const stop = useCallback(() => {
    if (conversationId) client.stop(conversationId);
  }, [client, conversationId]);
  const startOver = useCallback(() => setThread(emptyThread), []);
  const resume = useCallback(
    async (id: string) => {
      try {
        const { data } = await client.invoke('conversation.get', { conversationId: id }, { source: 'Chat' });
        setThread(continued(id, data.messages));
      } catch (thrown) {
        setThread(failed(emptyThread, newId(), asBusError(thrown).message));
      }
    },
    [client],
  );
  /** Does what was suggested, as the person. */
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
    [client],
  );

  return { thread, send, stop, startOver, resume, tap };
}
