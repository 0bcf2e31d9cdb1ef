import { i18n } from '../language/i18n';
import type { Texts } from './texts';
import type { Json, JsonObject } from './wire';

/** The side effect of a capability, from harmless to irreversible. */
export type SideEffect = 'pure' | 'ui-only' | 'network' | 'destructive';

/** Whether an assistant may use a capability. */
export type Rule = 'allowed' | 'confirmation_required' | 'forbidden';

const risks: Partial<Record<SideEffect, string>> = {
  network: i18n._('reaches outside'),
  destructive: i18n._('cannot be taken back'),
};

/** What says how grave a capability is. */
type Gravity = { side_effect?: SideEffect; reversible?: boolean; composite?: boolean };

/**
 * The warning for a capability; undefined for a harmless one, and for one that can be undone. A plan can be undone if
 * each step can. Its steps are not known here, so a plan keeps its warning.
 */
export function riskText({ side_effect, reversible, composite }: Gravity): string | undefined {
  return side_effect && !(side_effect === 'destructive' && reversible && !composite) ? risks[side_effect] : undefined;
}

/** One capability as the manifest describes it. */
export interface ManifestEntry {
  name: string;
  title: string;
  /** For models; people read `help`. */
  description?: string;
  help?: string;
  type?: 'action' | 'data' | 'state' | 'control' | 'status';
  category?: string;
  group?: string;
  side_effect: SideEffect;
  /** The domains of state that it changes; "*" is every one. */
  changes?: readonly string[];
  /** The domains that its answer is made of; absent where its answer is not kept. */
  provides?: readonly string[];
  input_schema?: JsonObject;
  /** Where the ids in its input are found: "capability#/list" by kind of record. */
  sources?: Readonly<Record<string, string>>;
  output_schema?: JsonObject;
  available: boolean;
  unavailable_reason?: string;
  texts?: Texts;
  shortcut?: string;
  routes?: string[];
  background?: boolean;
  /** Its changes can be undone. */
  reversible?: boolean;
  agent_only?: boolean;
  /** It does what other capabilities do, which are commands by their own names: a plan, or another name. */
  composite?: boolean;
  /** The window shows or uses it by itself; it is no command. */
  passive?: boolean;
  /** Callers may use it before they sign in. */
  public?: boolean;
  /** A list that is answered page by page, and what it can be asked for: words, an order, what narrows it. */
  paginated?: boolean;
  searchable?: boolean;
  sortable?: boolean;
  filterable?: boolean;
  /** How often a status is worth asking for. */
  refresh_interval_seconds?: number;
  /** The rule that its definition sets. */
  access?: { agent?: Rule };
  /** The bounds that a grant may have; absent or empty for a destructive capability that can never be granted. */
  grantable?: string[];
  /** The facts that every call states. */
  facts?: string[];
  current?: Json;
}

/** A kind of record, as the application declares it. */
export interface Entity {
  /** The word that x-entity says. */
  type: string;
  title: string;
  /** The capability that reads one: its one required argument is the id. */
  get?: string;
  /** The name of a record, made of its fields: "{name}". */
  display?: string;
  /** The page of a record: "folders/{id}". */
  link?: string;
  /** The lists of such records: "capability#/list". */
  sources: readonly string[];
}

/** Everything the application can do for the signed-in person, now. */
export interface Manifest {
  schema_version: string;
  application: { name: string; version: string };
  capabilities: ManifestEntry[];
  entities?: readonly Entity[];
}

/** Does several things as one, which are its values; always asked. */
export const PLAN = 'plan.propose';

/** Does again with other records what was done with one; always asked. */
export const REPEAT = 'plan.repeat';

/** The part of an entry that changes. */
export type State = Pick<ManifestEntry, 'name' | 'available' | 'unavailable_reason' | 'texts' | 'current'>;

/**
 * The manifest with other states: the same one where nothing changed, and entry by entry. Undefined
 * when it does not list what the states are of: then it is another manifest.
 */
export function withStates(manifest: Manifest, states: readonly State[]): Manifest | undefined {
  const { capabilities } = manifest;
  if (capabilities.length !== states.length) return undefined;
  if (!capabilities.every(({ name }, at) => name === states[at]?.name)) return undefined;
  const now = capabilities.map((entry, at) => withState(entry, states[at] as State));
  return now.every((entry, at) => entry === capabilities[at]) ? manifest : { ...manifest, capabilities: now };
}

function withState(entry: ManifestEntry, { available, unavailable_reason, current }: State): ManifestEntry {
  const same =
    entry.available === available &&
    entry.unavailable_reason === unavailable_reason &&
    JSON.stringify(entry.current) === JSON.stringify(current);
  return same ? entry : { ...entry, available, unavailable_reason, current };
}

const capabilityName = /\b[a-z]+\.[a-z][A-Za-z]*\b/g;

/** A text for programs in which capabilities are called by their titles, as people know them. */
export function withCapabilityTitles(
  text: string | undefined,
  capabilities: readonly ManifestEntry[],
): string | undefined {
  return text?.replace(capabilityName, (name) => {
    const title = capabilities.find((known) => known.name === name)?.title;
    return title === undefined ? name : i18n._('“{title}”', { title });
  });
}

/** Finds a capability by name. */
export function entry(manifest: Manifest | undefined, name: string): ManifestEntry | undefined {
  return manifest?.capabilities.find((c) => c.name === name);
}

/**
 * Reports whether a change in a domain makes the answer of a capability stale. Of one that is not known any change does:
 * what is asked for again is right, if late.
 */
export function isStaleAfter(manifest: Manifest | undefined, name: string, domain: string): boolean {
  const provides = entry(manifest, name)?.provides;
  return !provides || domain === '*' || provides.includes(domain) || provides.includes('*');
}

/** Finds a kind of record. */
export function entityOf(manifest: Manifest | undefined, type: string): Entity | undefined {
  return manifest?.entities?.find((entity) => entity.type === type);
}

/** Why a capability cannot be used now; undefined when it can. One absent from the manifest is not for this person. */
export function refusal(entry: ManifestEntry | undefined): string | undefined {
  if (!entry) return i18n._('You may not do this.');
  return entry.available ? undefined : (entry.unavailable_reason ?? i18n._('Not available now.'));
}
