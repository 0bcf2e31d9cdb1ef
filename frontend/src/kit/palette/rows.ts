import type { ManifestEntry } from '../../bridge/manifest';
import { i18n } from '../../language/i18n';
import type { Destination, Destinations } from '../domain';
import type { Routine } from '../routines/useRoutines';
import type { View } from '../views/view';
import { commandsFor } from './commands';
import { MATCH, matching, matchOf } from './matching';

/** A place that the palette leads to; that of a saved view shows the list as the view has it. */
export type Place = Destination & { view?: View };

/** A row of the palette, in the group it is listed under: a capability, a routine, or something with a link. */
export type Row = { group: string } & (Place | { command: ManifestEntry; next: boolean } | { routine: Routine });

export function keyOf(row: Row): string {
  if ('routine' in row) return `run ${row.routine.id}`;
  return 'command' in row ? `do ${row.command.name}` : `${row.group} ${row.view?.id ?? row.link}`;
}

/** All that the palette can list. */
interface Findable {
  destinations: Destinations;
  /** The saved views of lists. */
  views: readonly Place[];
  routines: readonly Routine[];
  /** The records that were found for the text. */
  records: readonly Row[];
  entries: readonly ManifestEntry[];
  recent: readonly string[];
  next: readonly string[];
}

/**
 * What matches a text: actions by their whole name, pages and saved views, routines, records, settings, other actions.
 * Without a text: what is likely next, the pages and views, routines, all actions.
 * The first `fixed` rows stand before the records, so that these do not move them.
 */
export function rowsFor(text: string, findable: Findable) {
  const { destinations, views, records, entries, recent, next } = findable;
  const routines: Row[] = matching(findable.routines, text, ({ name, does }) => {
    return { title: name, description: does.join(' ') };
  }).map((routine) => ({ group: i18n._('Routines'), routine }));
  const places = (group: string, known: readonly Place[]): Row[] =>
    matching(known, text, (place) => place).map((place) => ({ group, ...place }));
  const actions = (group: string, some: readonly ManifestEntry[]): Row[] =>
    some.map((command) => ({ group, command, next: next.includes(command.name) }));
  const pages = [...places(i18n._('Pages'), destinations.pages), ...places(i18n._('Views'), views)];
  const commands = commandsFor(entries, text, recent, next);
  if (text.trim() === '') {
    const likely = ({ name, available }: ManifestEntry) => available && next.includes(name);
    const others = commands.filter((command) => !likely(command));
    const rows = [
      ...actions(i18n._('Likely next'), commands.filter(likely)),
      ...pages,
      ...routines,
      ...actions(i18n._('Actions'), others),
    ];
    return { rows, fixed: rows.length };
  }
  const settings = places(i18n._('Settings'), destinations.settings);
  const named = (command: ManifestEntry) => matchOf(text, command) === MATCH.exact;
  const others = commands.filter((command) => !named(command));
  const first = [...actions(i18n._('By its name'), commands.filter(named)), ...pages, ...routines];
  return { rows: [...first, ...records, ...settings, ...actions(i18n._('Actions'), others)], fixed: first.length };
}
