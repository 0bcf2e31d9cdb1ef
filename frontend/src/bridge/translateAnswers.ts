import { i18n } from '../language/i18n';
import { own } from '../language/own';
import { mayBeName, translateAround, translateFromGo, translateNumbers } from '../language/translateFromGo';
import {
  type ApprovalCard,
  type ApprovalEvent,
  type Bill,
  type BillValue,
  byOwnClock,
  type CardArgument,
} from './approval';
import type { Stream } from './backend';
import type { ChatUpdate, Suggestion } from './chat';
import type { Manifest, ManifestEntry, State } from './manifest';
import { inLanguage } from './texts';
import type { BusEvent, Json } from './wire';

/*
 * Translates what the application says into the language of the window, where it comes
 * in. Nothing of it is ever sent back: names, ids, arguments and digests stay as they are.
 */

/** The manifest, as a person reads it. */
export function translateManifest(manifest: Manifest): Manifest {
  const capabilities = manifest.capabilities.map((entry) => ({
    ...translateState(entry),
    title: translateFromGo(entry.title),
    help: translateFromGo(helpText(entry)),
    input_schema: entry.input_schema && translateSchema(entry.input_schema),
  }));
  const entities = manifest.entities?.map((entity) => ({ ...entity, title: translateFromGo(entity.title) }));
  return { ...manifest, capabilities, entities };
}

/** What a capability does, for people: its help, or the first sentence of what a model is told. */
function helpText({ help, description = '' }: ManifestEntry): string {
  return help ?? /^.*?[.!?](?=\s|$)/.exec(description)?.[0] ?? description;
}

/** Translates a change of the manifest. */
export function translateState<T extends State>(state: T): T {
  return inLanguage({ ...state, unavailable_reason: translateFromGo(state.unavailable_reason) });
}

/** Keywords whose values are data and stay as they are. */
const data: ReadonlySet<string> = new Set(['const', 'default', 'enum', 'examples']);

function translateSchema<T extends Json | undefined>(node: T): T;
function translateSchema(node: Json | undefined): Json | undefined {
  if (Array.isArray(node)) return node.map((one) => translateSchema(one));
  if (node === null || typeof node !== 'object') return node;
  const fields = Object.entries(node).map(([key, value]): [string, Json | undefined] => {
    if ((key === 'title' || key === 'description') && typeof value === 'string') return [key, translateFromGo(value)];
    return [key, data.has(key) ? value : translateSchema(value)];
  });
  return Object.fromEntries(fields);
}

/**
 * By the name of a capability: the fields of its answer that hold sentences of the application, not people's text.
 * "records.name@folder" are those of one entity, and of "records.name#folder" only an amount at the end, behind a dot, is
 * the application's: "1001 · Ana · $5.00".
 */
export type Sentences = Readonly<Record<string, readonly string[]>>;

/** The sentences in the packages' own answers. */
const packages: Sentences = {
  'assistant.usage': ['tokens.costs.text', 'models.tokens.costs.text', 'today.costs.text'],
  'audit.replay': ['notable.why', 'notable.outcome'],
  'audit.verify': ['problem', 'remedy'],
  'conversation.get': ['tokens.costs.text', 'turns.tokens.costs.text'],
  'conversation.list': ['conversations.tokens.costs.text'],
  'grant.create': ['text'],
  'grant.list': ['grants.text'],
};

/** An answer, with its sentences as a person reads them. */
export function translateAnswer<T>(capability: string, answer: T, declared: Sentences = {}): T {
  const paths = own(declared, capability) ?? own(packages, capability) ?? [];
  return paths.reduce((node, path) => {
    const say = path.includes('#') ? translateEnd : translateFromGo;
    return changed(node as Json, path.split('.'), say);
  }, answer as Json) as T;
}

type Say = <T extends string | undefined>(text: T) => T;

const translateEnd: Say = (text) => text && (text.replace(/ · [^·]+$/, translateNumbers) as typeof text);

function changed<T extends Json | undefined>(node: T, path: readonly string[], say: Say): T;
function changed(node: Json | undefined, path: readonly string[], say: Say): Json | undefined {
  if (Array.isArray(node)) return node.map((one) => changed(one, path, say));
  if (path.length === 0) return typeof node === 'string' ? say(node) : node;
  const [step = '', ...rest] = path;
  const [key = '', entity] = step.split(/[@#]/);
  if (node === null || typeof node !== 'object' || !Object.hasOwn(node, key)) return node;
  if (entity !== undefined && node.entity !== entity) return node;
  return { ...node, [key]: changed(node[key], rest, say) };
}

function translateBusEvent(event: BusEvent): BusEvent {
  switch (event.type) {
    case 'stateChange':
      return { ...event, summary: translateFromGo(event.summary) };
    case 'notification':
      return { ...event, message: translateFromGo(event.message) };
    case 'progress':
      return { ...event, message: translateFromGo(event.message) };
    default:
      return event;
  }
}

function translateSuggestion(one: Suggestion): Suggestion {
  const title = translateFromGo(one.title);
  const values = one.values?.map(translateArgument).map(({ label, text }) => `${label} ${text}`);
  const text = values ? `${title}: ${values.join(', ')}` : title;
  return { ...one, title, text: one.form ? i18n._('Open the form: {text}', { text }) : text };
}

function translateChatUpdate(update: ChatUpdate): ChatUpdate {
  return {
    ...update,
    title: translateFromGo(update.title),
    text: update.type === 'waiting' ? translateFromGo(update.text) : update.text,
    error: translateFromGo(update.error),
    result: update.result && inLanguage(update.result),
    notice: translateFromGo(update.notice),
    actions: update.actions?.map((done) => ({
      ...done,
      title: translateFromGo(done.title),
      text: translateFromGo(done.text),
    })),
    suggestions: update.suggestions?.map(translateSuggestion),
    plan: update.plan && translateSuggestion(update.plan),
    usage: update.usage && {
      ...update.usage,
      costs: update.usage.costs?.map((cost) => ({ ...cost, text: translateFromGo(cost.text) })),
    },
  };
}

/** A text on a card stays as it is: it is a person's. The application writes the text of any other value. */
function translateArgument({ label, text, ...argument }: CardArgument): CardArgument {
  const isText = typeof argument.value === 'string';
  return { ...argument, label: translateFromGo(label), text: isText ? text : translateFromGo(text) };
}

/**
 * A bill: names of things stay as they are, and so do the words for an argument that is a text (the name of a record);
 * labels, amounts and sentences are the application's.
 */
function translateBill(
  { lines, sums, about, follows }: Bill,
  say: Say,
  beforeOwn: readonly string[],
  args: readonly CardArgument[],
): Bill {
  const isText = ({ argument }: BillValue) =>
    argument && args.some(({ pointer, value }) => pointer.endsWith(argument) && typeof value === 'string');
  const shown = (of: BillValue) => {
    if (beforeOwn.includes(of.label.toLowerCase())) return translateFromGo(of.text);
    return isText(of) || mayBeName(of.text) ? of.text : say(of.text);
  };
  const value = (of: BillValue) => ({ ...of, label: translateFromGo(of.label), text: shown(of) });
  return {
    lines: lines?.map(({ each, amount, ...line }) => {
      return { ...line, each: translateFromGo(each), amount: translateFromGo(amount) };
    }),
    sums: sums?.map(value),
    about: about?.map(value),
    follows: follows?.map(say),
  };
}

/**
 * A card, as a person reads it: names and values of people that are in its sentences stay as they are. The application
 * gives the names behind the labels and words of `beforeOwn`, which are in lower case.
 */
export function translateCard(
  card: ApprovalCard,
  data: readonly string[] = [],
  beforeOwn: readonly string[] = [],
): ApprovalCard {
  const say: Say = (text) => (text ? (translateAround(text, data, beforeOwn) as typeof text) : text);
  return inLanguage({
    ...card,
    title: translateFromGo(card.title),
    sentence: say(card.sentence),
    steps: card.steps?.map(say),
    left: card.left?.map(({ name, why }) => ({ name, why: say(why) })),
    arguments: card.arguments.map(translateArgument),
    bills: card.bills?.map((bill) => bill && translateBill(bill, say, beforeOwn, card.arguments)),
    changed: card.changed?.map(say),
    needs: translateFromGo(card.needs),
    why: say(card.why),
  });
}

/** Translates an event of a stream. */
export function translateEvent(stream: Stream, event: unknown): unknown {
  switch (stream) {
    case 'bus':
      return inLanguage(translateBusEvent(event as BusEvent));
    case 'chat':
      return inLanguage(translateChatUpdate(event as ChatUpdate));
    case 'approval':
      // useSaidCard translates it, since it knows the names of records.
      return { ...(event as ApprovalEvent), card: byOwnClock((event as ApprovalEvent).card) };
  }
}
