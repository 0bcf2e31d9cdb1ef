import { Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { type ManifestEntry, riskText } from '../../bridge/manifest';
import { linkOf } from '../../bridge/records';
import { i18n } from '../../language/i18n';
import { translateFromGo } from '../../language/translateFromGo';
import { useManifest } from '../../queries/useManifest';
import { keyText } from '../../ui/keys/keyed';
import { useKeys } from '../../ui/keys/useKeys';
import { ComboboxInput } from '../../ui/list/ComboboxInput';
import { cursorAt } from '../../ui/list/useListCursor';
import { VirtualListbox } from '../../ui/list/VirtualListbox';
import { Badge } from '../../ui/page/Badge';
import { Empty } from '../../ui/page/Note';
import { useDomain } from '../domain';
import { type Routine, useRoutines } from '../routines/useRoutines';
import { useRecordSearch } from '../useRecordSearch';
import { showView } from '../views/useListValues';
import { useViews } from '../views/useViews';
import { recentNames } from './commands';
import classes from './Palette.module.css';
import { keyOf, type Row, rowsFor } from './rows';

const LIST = 'commands';

const groupOf = ({ group }: Row) => group;
const isDisabled = (row: Row) =>
  ('command' in row && !row.command.available) || ('routine' in row && row.routine.problem !== undefined);
const rowOf = (row: Row) => <FoundRow row={row} />;

interface CommandListProps {
  entries: readonly ManifestEntry[];
  /** The likely next actions, the likeliest first. */
  next: readonly string[];
  onChoose: (name: string) => void;
  onRun: (routine: Routine) => void;
  onClose: () => void;
}

/** The pages, saved views, records, settings and capabilities that match what was typed. */
export function CommandList({ entries, next, onChoose, onRun, onClose }: CommandListProps) {
  const { useDestinations, useOpenLink } = useDomain();
  const destinations = useDestinations();
  const open = useOpenLink();
  const goTo = (link: string) => {
    onClose();
    open?.(link);
  };
  useKeys(
    Object.fromEntries(
      destinations.pages.flatMap(({ link, shortcut }) => (shortcut ? [[shortcut, { act: () => goTo(link) }]] : [])),
    ),
  );
  const [text, setText] = useState('');
  const [recent] = useState(recentNames);
  const [marked, mark] = useState<string>();
  const [pressed, press] = useState(false);
  const { records, missing, waits } = useFoundRecords(open ? text : '');
  const views = useViews().views.map((view) => ({ title: view.name, link: view.link, view }));
  const routines = useRoutines();
  const { rows, fixed } = rowsFor(text, { destinations, views, routines, records, entries, recent, next });

  const choose = (index: number) => {
    const row = rows[index];
    if (!row || isDisabled(row)) return;
    if ('command' in row) return onChoose(row.command.name);
    if ('routine' in row) return onRun(row.routine);
    if (row.view) showView(row.view);
    goTo(row.link);
  };
  // While records are sought, no row is active that they would push down: Enter is kept until they are there.
  const first = waits && fixed === 0 ? -1 : 0;
  const at = rows.findIndex((row) => keyOf(row) === marked);
  const active = Math.min(at < 0 ? first : at, rows.length - 1);
  const toRow = (index: number) => mark(rows[index] && keyOf(rows[index]));
  const cursor = cursorAt(active, toRow, rows.length, choose);
  const now = pressed && !waits;
  useEffect(() => {
    if (!now) return;
    press(false);
    choose(active);
  });
  return (
    <>
      <ComboboxInput
        data-autofocus
        autoFocus // Mantine's trap would come some time later, and what is typed until then would be lost
        size="md"
        variant="unstyled"
        className={classes.search}
        leftSection={<IconSearch size={17} aria-hidden />}
        aria-label={i18n._('Find pages, records, settings, actions')}
        placeholder={i18n._('A page, a record, a setting or an action')}
        list={LIST}
        cursor={cursor}
        value={text}
        onKeyDown={(event) => {
          cursor.onKeyDown(event);
          if (event.key === 'Enter' && active < 0 && !event.nativeEvent.isComposing) press(true);
        }}
        onChange={(event) => {
          setText(event.currentTarget.value);
          mark(undefined);
          press(false);
        }}
      />
      <div className={classes.list}>
        {rows.length === 0 && !waits && <Empty title={i18n._('Nothing by that name')} missing={missing} />}
        <VirtualListbox
          id={LIST}
          label={i18n._('What was found')}
          items={rows}
          keyOf={keyOf}
          groupOf={groupOf}
          rowHeight={46}
          cursor={cursor}
          focusable={false}
          edition={text}
          isDisabled={isDisabled}
          onChoose={choose}
          renderRow={rowOf}
        />
      </div>
    </>
  );
}

function FoundRow({ row }: { row: Row }) {
  if ('routine' in row) return <RoutineRow routine={row.routine} />;
  return 'command' in row ? (
    <CommandRow command={row.command} next={row.next} />
  ) : (
    <div className={classes.command}>
      <Text fw={500} truncate className={classes.words}>
        {row.title}
      </Text>
      {row.shortcut && <kbd>{keyText(row.shortcut)}</kbd>}
    </div>
  );
}

function CommandRow({ command, next }: { command: ManifestEntry; next: boolean }) {
  const mark = riskText(command);
  return (
    <div className={classes.command}>
      <div className={classes.words}>
        <Text fw={500} truncate c={command.available ? undefined : 'dimmed'}>
          {command.title}
        </Text>
        <Text size="xs" c="dimmed" truncate>
          {command.available ? command.help : command.unavailable_reason}
        </Text>
      </div>
      {!command.available && <Badge color="gray">{i18n._('not now')}</Badge>}
      {next && command.available && <Badge>{i18n._('next')}</Badge>}
      {mark && <Badge color="brick">{mark}</Badge>}
      {command.shortcut && <kbd>{keyText(command.shortcut)}</kbd>}
    </div>
  );
}

function RoutineRow({ routine: { name, does, problem } }: { routine: Routine }) {
  return (
    <div className={classes.command}>
      <div className={classes.words}>
        <Text fw={500} truncate c={problem && 'dimmed'}>
          {name}
        </Text>
        <Text size="xs" c="dimmed" truncate>
          {translateFromGo(problem) ?? does.join(' · ')}
        </Text>
      </div>
      {problem && <Badge color="gray">{i18n._('not now')}</Badge>}
    </div>
  );
}

/** The fewest characters that records are sought by. */
const FROM = 2;
/** As many records of one kind as are listed. */
const OF_ONE_KIND = 4;

/** The records that match a text and have a page, by kind: all at once, and none of an earlier text. */
function useFoundRecords(text: string) {
  const manifest = useManifest();
  const wanted = text.trim().length < FROM ? '' : text.trim();
  const [query] = useDebouncedValue(wanted, 150);
  const { groups, missing, busy } = useRecordSearch(query, 'Palette');
  const waits = query !== wanted || busy;
  const records = groups.flatMap(({ group, items }) =>
    items
      .flatMap(({ entity, value, label }) => {
        const link = linkOf(manifest, { entity, id: value });
        return link === undefined ? [] : [{ group, link, title: label }];
      })
      .slice(0, OF_ONE_KIND),
  );
  return { records: waits ? [] : records, missing, waits };
}
