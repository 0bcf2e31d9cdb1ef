import type { ComponentType } from 'react';
import type { ApprovalCard, Bill, CardArgument, GrantTerms } from '../../bridge/approval';
import type { ManifestEntry } from '../../bridge/manifest';
import { type Names, namesOfId } from '../../bridge/names';
import type { Json, JsonObject } from '../../bridge/wire';
import { formatMoment, formatMoney, humanize, inSentence } from '../../language/format';
import { i18n } from '../../language/i18n';
import { own, putOwn } from '../../language/own';
import { visible } from '../../language/readable';

/** Fields for the arguments of a capability, made from its schema. */
export type FieldsOf = ComponentType<{
  schema: JsonObject | undefined;
  /** Where the ids in it are found. */
  sources?: ManifestEntry['sources'];
  values: JsonObject;
  /** The names of records, for the values that are set. */
  names: Names;
  onChange: (values: JsonObject) => void;
}>;

/** The capability by which the assistant asks for a grant. */
export const REQUEST = 'agent.requestCapability';

/** Whether the person asked for it by hand: they wait for it, where an assistant's card waits for them. */
export function isOwn({ conversation_id }: ApprovalCard): boolean {
  return !conversation_id;
}

/** Whether the person asked for the action by hand and may do it. Then its title is that of the card and of its button. */
export function isByHand(card: ApprovalCard): boolean {
  return isOwn(card) && !card.client && !card.approvers;
}

const origins: Record<string, string> = {
  said: i18n._('you said it'),
  looked_up: i18n._('looked up'),
  default: i18n._('default'),
  guess: i18n._('assistant’s guess'),
};

/** The origin of a value, in words. */
export function originText(origin: string | undefined): string | undefined {
  return origin && (own(origins, origin) ?? origin);
}

/** The time left as "4:05", never below zero. */
export function timeLeft(expiresAt: number, now: number): string {
  const seconds = Math.max(0, Math.ceil((expiresAt - now) / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/**
 * Whether a new card may take the focus: when nothing has it, or when it is in
 * the conversation and the person has not begun another sentence. Typing
 * anywhere else is never interrupted.
 */
export function mayTakeFocus(active: Element | null): boolean {
  if (!active || active === active.ownerDocument.body) return true;
  if (!active.closest('[data-conversation]')) return false;
  return !(active instanceof HTMLTextAreaElement && active.value.trim() !== '');
}

const decoded = (token: string) => token.replaceAll('~1', '/').replaceAll('~0', '~');

/** The number of the step of a plan that an argument is of, and its place in there; undefined for any other argument. */
function stepAt(pointer: string): { step: number; rest: string } | undefined {
  const [, number, rest = ''] = /^\/steps\/(\d+)\/(.+)$/.exec(pointer) ?? [];
  return number === undefined ? undefined : { step: Number(number), rest };
}

/** The arguments with those that steps share written out for each of them. */
function writtenOut<A extends Pick<CardArgument, 'pointer' | 'through'>>(args: readonly A[]): A[] {
  return args.flatMap((arg) => {
    const { step, rest } = stepAt(arg.pointer) ?? { step: 0, rest: '' };
    const length = Math.max((arg.through ?? step) - step, 0) + 1;
    return length === 1 ? arg : Array.from({ length }, (_, n) => ({ ...arg, pointer: `/steps/${step + n}/${rest}` }));
  });
}

/** The capability of a step of a plan. */
export function capabilityOfStep(args: readonly CardArgument[], step: number): string {
  return String(
    args.findLast((arg) => {
      const at = stepAt(arg.pointer);
      return at?.rest === 'capability' && at.step <= step && step <= (arg.through ?? at.step);
    })?.value,
  );
}

/** The steps of a plan, those that are done for each row as one run. */
export function runsOf(args: readonly CardArgument[], count: number): { first: number; last: number }[] {
  const ends = new Map(
    args.flatMap(({ pointer, through }) => {
      const at = stepAt(pointer);
      return at?.rest === 'capability' && through ? [[at.step, through] as const] : [];
    }),
  );
  const runs: { first: number; last: number }[] = [];
  for (let first = 0; first < count; ) {
    const last = Math.min(ends.get(first) ?? first, count - 1);
    runs.push({ first, last: Math.max(first, last) });
    first = Math.max(first, last) + 1;
  }
  return runs;
}

/** The arguments a card shows value by value, as the object they are. */
export function usedValues(args: readonly Pick<CardArgument, 'pointer' | 'value' | 'through'>[]): JsonObject {
  const root: JsonObject = {};
  for (const { pointer, value } of writtenOut(args)) {
    const tokens = pointer.split('/').slice(1).map(decoded);
    let place: Json | undefined = root;
    for (const [index, token] of tokens.entries()) {
      if (typeof place !== 'object' || place === null) break;
      const next = tokens[index + 1];
      const inner: Json = next === undefined ? value : /^\d+$/.test(next) ? [] : {};
      // A list takes its numbers as names. The names may be those that every object inherits.
      if (!Object.hasOwn(place, token)) putOwn(place, token, inner);
      place = own(place as JsonObject, token);
    }
  }
  return root;
}

/** The terms that the assistant asks for, with the end that they get. */
export function termsAskedFor({ arguments: args, facts }: ApprovalCard): GrantTerms {
  const { constraints, limits } = usedValues(args) as GrantTerms;
  return { constraints, limits, until: typeof facts?.until === 'number' ? facts.until : undefined };
}

/** A key in a value: words for the name of a field; a person writes keys otherwise, and those stay as they are. */
const keyText = (key: string) => (/^[a-z][a-zA-Z0-9]*$|^\d+$/.test(key) ? inSentence(key) : visible(key));

/** The place of a value in words, entries of a list counted from 1. */
function placeText(place: string): string {
  const parts = place.split('/').map((part) => (/^\d+$/.test(part) ? String(Number(part) + 1) : decoded(part)));
  return parts.map((part, index) => (index === 0 ? humanize(part) : keyText(part))).join(' ');
}

/** The arguments that a bill shows, by their pointers, and the others. */
export function shownBy(bill: Bill | null | undefined, args: readonly CardArgument[]) {
  const shown = new Set(bill?.about?.flatMap(({ argument }) => argument ?? []));
  return {
    shown: new Map(args.filter(({ pointer }) => shown.has(pointer)).map((arg) => [arg.pointer, arg])),
    others: args.filter(({ pointer }) => !shown.has(pointer)),
  };
}

/** Whether bills say all that a call does, so that its changed rows are read by who wants to. */
export function isItemised({ bills, steps }: ApprovalCard): boolean {
  return bills !== undefined && bills.length === (steps?.length ?? 1) && !bills.includes(null);
}

/** Whether a pointer leads to an argument itself, whose label the schema gives, and not into it. */
const isTop = (pointer: string) => pointer.lastIndexOf('/') === 0;

/** Arguments by the step of a plan they are of; those of none are under -1. */
export function byStep(args: readonly CardArgument[]): Map<number, CardArgument[]> {
  const steps = new Map<number, CardArgument[]>();
  for (const arg of args) {
    const { step, rest } = stepAt(arg.pointer) ?? { step: -1, rest: undefined };
    if (rest === 'capability' || (rest === 'arguments' && JSON.stringify(arg.value) === '{}')) continue; // its sentence says it
    const name = rest?.replace(/^arguments\//, '');
    const pointer = name === undefined ? arg.pointer : `/${name}`;
    const own = { ...arg, pointer, label: step < 0 && isTop(pointer) ? arg.label : placeText(pointer.slice(1)) };
    steps.set(step, [...(steps.get(step) ?? []), own]);
  }
  return steps;
}

/**
 * A sentence with names in place of the ids in it that only a program writes, such as "cus_201100". Texts of people
 * stay, and so does the id of two records.
 */
export function inNames(sentence: string, names: Names, written: readonly string[] = []): string {
  return sentence.replaceAll(/[\w-]{8,}/g, (id) => {
    if (!id.includes('_') || written.some((text) => text.includes(id))) return id;
    const [name = id, ...others] = namesOfId(names, id);
    return others.length === 0 ? name : id;
  });
}

interface SentLine {
  /** The path of the value in the data that is sent. */
  place: string;
  label: string;
  text: string;
}

/** Every value of the data that is sent, by its place in words; only empty values are left out. */
export function sentLines(data: Json | undefined, place: readonly string[] = []): SentLine[] {
  if (data === null || data === undefined || data === '') return [];
  if (Array.isArray(data)) {
    return data.flatMap((item, index) => sentLines(item, data.length === 1 ? place : [...place, String(index + 1)]));
  }
  const line = (text: string): SentLine[] => [{ place: place.join('/'), label: labelOf(place), text }];
  if (typeof data === 'object') {
    const { amount, currency } = data;
    if (typeof amount === 'number' && typeof currency === 'string') return line(formatMoney({ amount, currency }));
    return Object.entries(data).flatMap(([name, part]) => sentLines(part, [...place, name]));
  }
  if (typeof data === 'boolean') return line(data ? i18n._('yes') : i18n._('no'));
  const moment = typeof data === 'number' && place.at(-1)?.endsWith('At');
  return line(moment ? formatMoment(data) : visible(String(data)));
}

/** The end of a place in words, with its parent where it lies deeper. */
function labelOf(place: readonly string[]): string {
  const numbered = place.findIndex((part) => /^\d+$/.test(part));
  const end = place.slice(Math.min(-2, numbered < 0 ? -2 : numbered - 1 - place.length));
  const inner = end.length === place.length && end[0] === 'body' ? end.slice(1) : end;
  return inner.map((part, index) => (index === 0 ? humanize(part) : keyText(part))).join(' ');
}
