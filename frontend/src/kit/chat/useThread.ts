import { useCallback, useEffect, useRef } from 'react';
import type { Autonomy, ChatUpdate, Suggestion } from '../../bridge/chat';
import { asBusError } from '../../bridge/error';
import { newId } from '../../bridge/ids';
import { translateEvent } from '../../bridge/translateAnswers';
import { useClient } from '../../queries/BusProvider';
import type { AgentContext } from '../../ui/window/useAgentContext';
import { useDraft, useKept } from '../../ui/window/useKept';
import { useOpenFilled } from '../palette/filled';
import { Frames } from './frames';
import { applyUpdate, emptyThread, failed, isDeclined, recalled, said, type Thread, take, tapped } from './thread';

/** Conversations that were left before their first sentence was answered: what they are told of is for nobody here. */
class AbandonedConversations {
  readonly #ids = new Set<string>();
  #first: string | undefined;
  readonly #firsts: string[] = [];

  /** A conversation begins with this sentence; its id is not known yet. */
  begins(text: string): void {
    this.#first = text;
  }

  /** The conversation that is shown is left; one that begins is known by its sentence until its id comes. */
  leave(begins: boolean): void {
    if (begins && this.#first !== undefined) this.#firsts.push(this.#first);
    this.#first = undefined;
  }

  /** The id of one that was left. */
  add(id: string, first: string): void {
    this.#ids.add(id);
    const at = this.#firsts.indexOf(first);
    if (at >= 0) this.#firsts.splice(at, 1);
  }

  /** It is shown again. */
  remove(id: string): void {
    this.#ids.delete(id);
  }

  has({ type, text, conversation_id }: ChatUpdate): boolean {
    const begins = type === 'turn_started' && text !== undefined && this.#firsts.includes(text);
    if (begins && !this.#ids.has(conversation_id)) this.add(conversation_id, text);
    return this.#ids.has(conversation_id);
  }
}

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
  const frames = useRef<Frames>(undefined);
  /** Counts the conversations that were shown: an answer that was asked for in an earlier one comes too late. */
  const shown = useRef(0);
  const left = useRef(new AbandonedConversations());
  useEffect(() => {
    const told = new Frames((updates) =>
      setThread((before) => updates.reduce((thread, update) => applyUpdate(thread, update, Date.now()), before)),
    );
    frames.current = told;
    const { current: lost } = found;
    if (lost) {
      told.hold();
      const mine = shown.current;
      // What was said meanwhile belongs to it.
      const show = (known: Thread) => {
        if (mine !== shown.current) return;
        found.current = undefined;
        setThread(({ items }) => ({ ...known, items: [...known.items, ...items] }));
      };
      read(lost)
        .then(show, () => show({ ...emptyThread, conversationId: lost }))
        .finally(() => told.release());
    }
    return client.on('chat', (update) => left.current.has(update) || told.add(update));
  }, [client, read, setThread]);
  useEffect(() => {
    if (!found.current && kept) keepId(kept.conversationId);
  }, [kept, keepId]);

  const { conversationId, autonomy } = thread;
  /** The conversation that a first sentence begins: the next one belongs to it, however soon it follows. */
  const beginning = useRef<Promise<string | undefined>>(undefined);
  const send = useCallback(
    async (text: string, pages: readonly AgentContext[]) => {
      setThread((before) => said(before, newId(), text));
      const mine = shown.current;
      const known = conversationId ?? found.current;
      const begun = known ? undefined : beginning.current;
      const sending = begun
        ? begun.then((id) => client.send(text, id, pages, autonomy))
        : client.send(text, known, pages, autonomy);
      if (!known && !begun) {
        left.current.begins(text);
        beginning.current = sending.then(
          (sent) => sent.conversation_id,
          () => undefined,
        );
      }
      try {
        const sent = await sending;
        if (mine === shown.current) setThread((before) => ({ ...before, conversationId: sent.conversation_id }));
        else left.current.add(sent.conversation_id, text);
      } catch (thrown) {
        if (mine === shown.current) setThread((before) => failed(before, newId(), asBusError(thrown).message));
      }
    },
    [client, conversationId, autonomy, setThread],
  );
  /** How far the assistant goes from the next sentence on. */
  const setAutonomy = useCallback(
    (next: Autonomy) => setThread((before) => ({ ...before, autonomy: next })),
    [setThread],
  );
  const stop = useCallback(() => {
    if (conversationId) client.stop(conversationId);
  }, [client, conversationId]);
  /** Leaves the conversation that is shown. */
  const leave = useCallback(() => {
    left.current.leave(conversationId === undefined);
    found.current = undefined;
    beginning.current = undefined;
    shown.current += 1;
    return shown.current;
  }, [conversationId]);
  const startOver = useCallback(() => {
    leave();
    frames.current?.release();
    setThread(emptyThread);
  }, [leave, setThread]);
  const resume = useCallback(
    async (id: string) => {
      const mine = leave();
      left.current.remove(id);
      frames.current?.hold(); // what it is told of while it is read
      const show = (next: Thread) => mine === shown.current && setThread(next);
      try {
        show(await read(id));
      } catch (thrown) {
        show(failed(emptyThread, newId(), asBusError(thrown).message));
      } finally {
        if (mine === shown.current) frames.current?.release();
      }
    },
    [leave, read, setThread],
  );
  /** Invokes a suggestion as the person, or opens its form. */
  const openFilled = useOpenFilled();
  const tap = useCallback(
    async (suggestion: Suggestion) => {
      if (suggestion.form) {
        openFilled(suggestion.form);
        setThread((before) => take(before, suggestion));
        return;
      }
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
    [client, openFilled, setThread],
  );

  return { thread, setAutonomy, send, stop, startOver, resume, tap };
}
