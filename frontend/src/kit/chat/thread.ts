import type { Autonomy, ChatUpdate, Suggestion, Usage } from '../../bridge/chat';
import type { SideEffect } from '../../bridge/manifest';
import { failureText } from '../../bridge/violations';
import type { Choice, Json, JsonObject } from '../../bridge/wire';
import { i18n } from '../../language/i18n';

/** A sentence of the person or the assistant, or of the window about the turn. */
export interface Said {
  kind: 'person' | 'assistant' | 'note' | 'problem';
  id: string;
  text: string;
  turnId?: string;
  /** The whole message has come; a piece of it that comes late is in it already. */
  whole?: boolean;
}

/** What came of a call. */
interface Outcome {
  ok: boolean;
  /** A person said no, or nobody said yes. */
  declined?: boolean;
  message?: string;
  hint?: string;
  at: number;
}

/** A call the assistant made, and what came of it. */
export interface Called {
  kind: 'call';
  id: string;
  /** The turn it is a part of; absent for a call of the person's own. */
  turnId?: string;
  requestId?: string;
  capability: string;
  title: string;
  sideEffect?: SideEffect;
  arguments: JsonObject;
  startedAt: number;
  /** Absent while it runs or waits for an answer. */
  outcome?: Outcome;
  /** What it answered. */
  found?: JsonObject;
  /** Whether the change can be undone. */
  undoable?: boolean;
}

/** A conversation as it is shown. */
export interface Thread {
  conversationId?: string;
  running?: string;
  /** The reason for waiting, while nothing has come. */
  waiting?: string;
  /** The turn that ended last. */
  ended?: string;
  /** The turn that was running when the page was loaded: its earlier updates were missed. */
  interrupted?: string;
  /** The model that answers. */
  model?: string;
  endpoint?: string;
  /** How far the assistant goes by itself; absent: it asks first. */
  autonomy?: Autonomy;
  /** The latest turn failed at a model that is not built in: another one would answer. */
  broken?: boolean;
  items: readonly (Said | Called)[];
  choices: readonly Choice[];
  suggestions: readonly Suggestion[];
  /** Those of them that were tapped: they keep their places, so that a second click does not meet the next one. */
  taken?: readonly Suggestion[];
  /** All suggestions as one, where they can be. */
  plan?: Suggestion;
}

export const emptyThread: Thread = { items: [], choices: [], suggestions: [] };

/** The endpoint of the built-in model, as its turns name it. */
const BUILT_IN = 'built-in';

/** The person said something; the turn it begins is not known yet. */
export function said(thread: Thread, id: string, text: string): Thread {
  const items = [...thread.items, { kind: 'person' as const, id, text }];
  return { ...thread, choices: [], suggestions: [], taken: [], plan: undefined, broken: false, items };
}

/** Stands where a piece of a sentence was not heard, until the whole of it comes. */
const GAP = ' […] ';

/** The conversation on a page that was loaded in the middle of its turn. */
export function interrupted(thread: Thread): Thread {
  const { running, items } = thread;
  const torn = (item: Said | Called) =>
    item.kind === 'assistant' && item.turnId === running && !item.whole && !item.text.endsWith(GAP);
  const marked = items.map((item) => (item.kind !== 'call' && torn(item) ? { ...item, text: item.text + GAP } : item));
  return running ? { ...thread, interrupted: running, items: marked } : thread;
}

/** A conversation as the application has it: what its turns told, and the turn that goes on. */
interface Kept {
  autonomy?: Autonomy;
  running?: string;
  updates: readonly ChatUpdate[];
}

/** A conversation that was not heard here: it is told again. */
export function recalled(conversationId: string, { autonomy, running, updates }: Kept, now: number): Thread {
  const took = ({ result }: ChatUpdate) => (result?.status === 'success' ? result.execution_time_ms : 0);
  const tell = (before: Thread, update: ChatUpdate) => applyUpdate(before, update, now + took(update));
  return interrupted({ ...updates.reduce(tell, { ...emptyThread, conversationId }), autonomy, running });
}

/** The items at the end of an interrupted turn: its actions give the outcome of calls; other calls are dropped. */
function settled(thread: Thread, { turn_id, actions = [] }: ChatUpdate, now: number): Thread['items'] {
  if (thread.interrupted !== turn_id) return thread.items;
  return thread.items.flatMap((item) => {
    if (item.kind !== 'call' || item.outcome || item.turnId !== turn_id) return [item];
    const action = actions.find(({ request_id }) => request_id === item.requestId);
    if (!action) return [];
    if (action.outcome === 'running') return [item];
    const ok = action.outcome === 'done';
    return [{ ...item, outcome: { ok, message: ok ? undefined : action.text, at: now } }];
  });
}

/** The sentence that was said last. */
export function lastSaid({ items }: Thread): string | undefined {
  const found = items.findLast((item) => item.kind === 'person');
  return found?.kind === 'person' ? found.text : undefined;
}

/** Whether a call is the last one of its turn so far. */
export function isLast({ items }: Thread, call: Called): boolean {
  return items.findLast((item) => item.kind === 'call' && item.turnId === call.turnId) === call;
}

/** The reply of the turn that ended last, as it is read out: pieces of one that is on its way would be cut off. */
export function replyOf({ items, ended }: Thread): string | undefined {
  if (ended === undefined) return undefined;
  const said = items.flatMap((item) => (item.kind === 'assistant' && item.turnId === ended ? [item.text] : []));
  return said.length > 0 ? said.join('\n') : undefined;
}

/** A suggestion was tapped: a call of the person's own, and what came of it. */
export function tapped(
  thread: Thread,
  suggestion: Suggestion,
  call: Pick<Called, 'id' | 'startedAt' | 'outcome' | 'requestId'>,
): Thread {
  const { capability, title, arguments: args, reversible } = suggestion;
  const undoable = reversible && call.outcome?.ok;
  const item: Called = { kind: 'call', capability, title, arguments: args, undoable, ...call };
  const items = thread.items.filter(({ id }) => id !== call.id);
  return { ...take(thread, suggestion), items: [...items, item] };
}

/** A suggestion is taken and not offered any longer; with the last one, or all as one, none is. */
export function take(thread: Thread, suggestion: Suggestion): Thread {
  const taken = [...(thread.taken ?? []), suggestion];
  const left = suggestion === thread.plan ? [] : thread.suggestions.filter((one) => !taken.includes(one));
  return { ...thread, suggestions: left.length === 0 ? [] : thread.suggestions, taken, plan: undefined };
}

/** A sentence could not be sent. */
export function failed(thread: Thread, id: string, text: string): Thread {
  return { ...thread, running: undefined, items: [...thread.items, { kind: 'problem', id, text }] };
}

/**
 * The conversation after an update; `now` is when it came. Updates that follow
 * each other closely may overtake one another on the way to the page, so none
 * relies on the one before it.
 */
export function applyUpdate(before: Thread, update: ChatUpdate, now: number): Thread {
  const another = before.conversationId !== undefined && before.conversationId !== update.conversation_id;
  if (another) return before; // its end is not this one's
  const thread = before.waiting === undefined ? before : { ...before, waiting: undefined };
  switch (update.type) {
    case 'waiting': {
      const begun = thread.items.some((item) => item.id === update.message_id);
      return begun || !update.text ? thread : { ...thread, waiting: update.text };
    }
    case 'turn_started':
      return started(thread, update);
    case 'delta':
      return spoken(thread, update, (before) => ({ ...before, text: before.text + (update.text ?? '') }));
    case 'message': {
      const { text } = update;
      const next = text ? spoken(thread, update, (before) => ({ ...before, text, whole: true })) : thread;
      return { ...next, choices: update.choices ?? [] };
    }
    case 'call':
      return thread.items.some((item) => item.id === update.call_id)
        ? thread
        : { ...thread, items: [...thread.items, callOf(update, now)] };
    case 'result': {
      const known = thread.items.some((item) => item.id === update.call_id);
      const before = known ? thread.items : [...thread.items, callOf(update, now)];
      const items = before.map((item) => (item.id === update.call_id ? answered(item, update, now) : item));
      return { ...thread, items };
    }
    case 'form':
      return thread; // it is opened above the page
    case 'turn_ended':
      return ended(thread, update, now);
  }
}

function started(thread: Thread, update: ChatUpdate): Thread {
  const { turn_id, conversation_id, text } = update;
  const running = thread.ended === turn_id ? undefined : turn_id;
  const model = update.model?.name ?? thread.model;
  const endpoint = update.model?.endpoint ?? thread.endpoint;
  const next = {
    ...thread,
    endpoint,
    conversationId: conversation_id,
    running,
    model,
    autonomy: update.autonomy ?? thread.autonomy,
    choices: [],
    suggestions: [],
    plan: undefined,
    broken: false,
  };
  const sent = thread.items.findLastIndex((item) => item.kind === 'person' && !item.turnId);
  if (sent >= 0) {
    return {
      ...next,
      items: thread.items.map((item, index) => (index === sent ? { ...item, turnId: turn_id } : item)),
    };
  }
  if (!text) return next;
  return { ...next, items: [...thread.items, { kind: 'person', id: turn_id, text, turnId: turn_id }] };
}

function spoken(thread: Thread, update: ChatUpdate, write: (before: Said) => Said): Thread {
  const id = update.message_id ?? `${update.turn_id} said`;
  const known = thread.items.some((item) => item.id === id);
  const items = known
    ? thread.items.map((item) => (item.id === id && item.kind !== 'call' && !item.whole ? write(item) : item))
    : [...thread.items, write({ kind: 'assistant', id, text: '', turnId: update.turn_id })];
  return { ...thread, items };
}

function callOf(update: ChatUpdate, now: number): Called {
  return {
    kind: 'call',
    id: update.call_id ?? '',
    turnId: update.turn_id,
    requestId: update.request_id,
    capability: update.capability ?? '',
    title: update.title ?? update.capability ?? '',
    sideEffect: update.side_effect,
    arguments: update.arguments ?? {},
    startedAt: now,
  };
}

function answered(item: Said | Called, update: ChatUpdate, now: number): Said | Called {
  if (item.kind !== 'call') return item;
  const { result } = update;
  const failure = result?.status === 'error' ? result : undefined;
  const data = result?.status === 'success' ? result.data : undefined;
  return {
    ...item,
    found: isObject(data) ? data : undefined,
    requestId: update.request_id ?? item.requestId,
    arguments: update.arguments ?? item.arguments,
    outcome: { ok: !failure, declined: isDeclined(failure), ...(failure && failureText(failure)), at: now },
  };
}

const isObject = (data: Json | undefined): data is JsonObject =>
  typeof data === 'object' && data !== null && !Array.isArray(data) && Object.keys(data).length > 0;

/** Whether a call failed because a person said no, or nobody said yes. */
export function isDeclined(failure: { reason?: string } | undefined): boolean | undefined {
  return failure?.reason === 'declined' || undefined;
}

/**
 * A turn ended. One that was stopped has said so itself, and what was and was
 * not done by then.
 */
function ended(thread: Thread, update: ChatUpdate, now: number): Thread {
  const {
    turn_id,
    status,
    error,
    actions = [],
    suggestions = [],
    plan,
    usage,
    notice,
    autonomy = thread.autonomy,
  } = update;
  const undoable = new Set(
    actions.flatMap((done) => (done.outcome === 'done' && done.reversible ? [done.request_id] : [])),
  );
  const items = settled(thread, update, now).map((item) =>
    item.kind === 'call' && undoable.has(item.requestId) ? { ...item, undoable: true } : item,
  );
  const cost = costText(usage);
  const note: Said[] = [];
  if (cost) note.push({ kind: 'note', id: `${turn_id} usage`, text: cost });
  if (notice) note.push({ kind: 'note', id: `${turn_id} notice`, text: notice });
  const next: Thread = {
    ...thread,
    autonomy,
    suggestions,
    taken: [],
    plan,
    running: undefined,
    ended: turn_id,
    items: [...items, ...note],
  };
  if (!error) return next;
  const elsewhere = thread.endpoint !== BUILT_IN;
  return { ...failed(next, `${turn_id} ended`, error), broken: status === 'error' && elsewhere };
}

/** The cost of a turn, in words; undefined where it is unknown. */
export function costText({ input = 0, output = 0, estimated, costs = [] }: Usage = {}): string | undefined {
  if (input + output === 0) return undefined;
  const tokens = estimated
    ? i18n._('About {input, number} tokens read, {output, number} written', { input, output })
    : i18n._('{input, number} tokens read, {output, number} written', { input, output });
  return [tokens, ...costs.map(({ text }) => text)].join(' · ');
}
