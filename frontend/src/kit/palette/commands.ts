import type { ManifestEntry } from '../../bridge/manifest';
import { store, stored } from '../../ui/window/stored';
import { personalName } from '../../ui/window/useKept';
import { matching } from './matching';

const RECENT = personalName('recent');
const KEPT = 12;

/** The number of next actions listed before the recent ones. */
export const NEXT_SHOWN = 4;

/** The capabilities that match a text; those that match alike: likely next, recently used, then by title. */
export function commandsFor(
  entries: readonly ManifestEntry[],
  text: string,
  recent: readonly string[],
  next: readonly string[],
): ManifestEntry[] {
  const before = [...next, ...recent];
  const rank = ({ name }: ManifestEntry) => {
    const at = before.indexOf(name);
    return at < 0 ? before.length : at;
  };
  const offered = entries
    .filter((entry) => !entry.agent_only && !isOwn(entry))
    .sort((a, b) => rank(a) - rank(b) || a.title.localeCompare(b.title));
  return matching(offered, text, ({ title, name, category, help, description }) => {
    return { title, name, description: [category, help, description].filter(Boolean).join(' ') };
  });
}

/** Whether it is shown or used by the window itself, or does what other commands do: then it is none. */
function isOwn({ passive, composite }: ManifestEntry): boolean {
  return passive === true || composite === true;
}

/** The names last used, most recent first. */
export function recentNames(): string[] {
  const names = stored('localStorage', RECENT);
  return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [];
}

/** Remembers that a capability was used. */
export function remember(name: string): void {
  const names = [name, ...recentNames().filter((other) => other !== name)].slice(0, KEPT);
  store('localStorage', RECENT, names);
}
