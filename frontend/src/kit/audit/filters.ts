import type { Request, Response } from '../../bridge/capabilities';
import { formatCount } from '../../language/format';
import { type CallerType, isNavigation, type Outcome, type Risk } from './record';
import { searchText } from './searchWords';

/** The filters of the list; an absent one does not filter. */
export interface Filters {
  text?: string;
  caller?: CallerType;
  capability?: string;
  outcome?: Outcome;
  risk?: Risk;
  person?: string;
  /** The id of a record that was acted on. */
  subject?: string;
  conversation?: string;
  /** The first and the last day, such as "2026-11-20", in the application's time zone. */
  from?: string;
  until?: string;
}

/** The filters that are chosen from a list with counts. */
export type Facet = Exclude<keyof Filters, 'text' | 'subject' | 'conversation' | 'from' | 'until'>;

type Search = Request<'audit.search'>;
export type Chosen = Omit<Search, 'cursor' | 'limit' | 'facets'>;
export type Facets = NonNullable<Response<'audit.search'>['facets']>;

/** The filters as the search and the export take them: success is a status, every failure a code. */
export function chosenBy(filters: Filters): Chosen {
  const { text = '', caller, capability, outcome, risk, person, subject, conversation, from, until } = filters;
  return {
    from,
    to: until,
    conversationId: conversation,
    text: searchText(text),
    callerType: caller,
    capability,
    status: outcome === 'success' ? outcome : undefined,
    code: outcome === 'success' ? undefined : outcome,
    sideEffect: risk,
    person,
    subject,
  };
}

/** Whether anything narrows the list. */
export const isNarrowed = (filters: Filters) => Object.values(filters).some(Boolean);

const countedAs = {
  caller: 'callers',
  capability: 'capabilities',
  outcome: 'outcomes',
  risk: 'sideEffects',
  person: 'people',
} as const satisfies Record<Facet, keyof Facets>;

export interface Option {
  value: string;
  label: string;
}

/** The choices of one facet, each with the number of records. The chosen one stays when it has none. */
export function options(
  facets: Facets | undefined,
  facet: Facet,
  chosen: string | undefined,
  say: (value: string) => string,
): Option[] {
  const counts = facets?.[countedAs[facet]].filter(({ value }) => value !== '') ?? [];
  const missing = chosen !== undefined && !counts.some(({ value }) => value === chosen);
  const all = missing && facets ? [...counts, { value: chosen, records: 0 }] : counts;
  const labels = all.map(({ value, records }) => ({ value, label: `${say(value)} · ${formatCount(records)}` }));
  return missing && !facets ? [{ value: chosen, label: say(chosen) }] : labels;
}

/** The latest conversations, each by when it was last used. What is chosen stays a choice. */
export function conversationOptions(
  facets: Facets | undefined,
  chosen: string | undefined,
  say: (time: number) => string,
): Option[] {
  const latest = facets?.conversations.map(({ id, time }) => ({ value: id, label: say(time) })) ?? [];
  const missing = chosen !== undefined && !latest.some(({ value }) => value === chosen);
  return missing ? [{ value: chosen, label: chosen }, ...latest] : latest;
}

/** The number of found records that are navigation; with one capability chosen the counts are of the others. */
export function navigationIn(facets: Facets, { capability }: Filters): number {
  if (capability) return 0;
  return facets.capabilities.reduce(
    (sum, { value, records }) => (isNavigation({ capability: value }) ? sum + records : sum),
    0,
  );
}
