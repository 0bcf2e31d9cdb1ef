import { useCallback, useEffect, useState } from 'react';
import { useClient } from '../../bus/BusProvider';
import { asBusError } from '../../bus/error';
import { newId } from '../../bus/id';
import { applyUpdate, emptyThread, failed, said } from './thread';

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

  return { thread, send, stop, startOver };
}
