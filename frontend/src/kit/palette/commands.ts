import { type ManifestEntry, PLAN } from '../../door/manifest';

const RECENT = 'deskhand.recent';
const KEPT = 12;

/** The number of next actions listed before the recent ones. */
export const NEXT_SHOWN = 4;

/** The capabilities that fit a text: what is likely next, recently used ones, then by title. */
export function commandsFor(
  entries: readonly ManifestEntry[],
  text: string,
  recent: readonly string[],
  next: readonly string[],
): ManifestEntry[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const before = [...next, ...recent];
  const rank = ({ name }: ManifestEntry) => {
    const at = before.indexOf(name);
    return at < 0 ? before.length : at;
  };
  return entries
    .filter((entry) => !entry.agent_only && !isOwn(entry) && fits(entry, words))
    .sort((a, b) => inTitle(b, words) - inTitle(a, words) || rank(a) - rank(b) || a.title.localeCompare(b.title));
}

/** Whether it is shown or used by the window itself: then it is no command. */
function isOwn({ passive, name }: ManifestEntry): boolean {
  return name === PLAN || passive === true;
}

function fits(entry: ManifestEntry, words: readonly string[]): boolean {
  const text =
    `${entry.title} ${entry.name} ${entry.category ?? ''} ${entry.help ?? ''} ${entry.description ?? ''}`.toLowerCase();
  return words.every((word) => text.includes(word));
}

function inTitle({ title, name }: ManifestEntry, words: readonly string[]): number {
  const text = `${title} ${name}`.toLowerCase();
  return words.length > 0 && words.every((word) => text.includes(word)) ? 1 : 0;
}

/** The names last used, most recent first. */
export function recentNames(): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(RECENT) ?? '[]');
    return Array.isArray(stored) ? stored.filter((name) => typeof name === 'string') : [];
  } catch {
    return [];
  }
}

/** Remembers that a capability was used. */
export function remember(name: string): void {
  const names = [name, ...recentNames().filter((other) => other !== name)].slice(0, KEPT);
  localStorage.setItem(RECENT, JSON.stringify(names));
}
