import { Kbd, Text } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { type ManifestEntry, riskText } from '../../door/manifest';
import { i18n } from '../../language/i18n';
import { ComboboxInput } from '../../ui/list/ComboboxInput';
import { useListCursor } from '../../ui/list/useListCursor';
import { VirtualListbox } from '../../ui/list/VirtualListbox';
import { Badge } from '../../ui/page/Badge';
import { Empty } from '../../ui/page/Note';
import { commandsFor, recentNames } from './commands';
import classes from './Palette.module.css';

const LIST = 'commands';

interface CommandListProps {
  entries: readonly ManifestEntry[];
  /** The likely next actions, the likeliest first. */
  next: readonly string[];
  onChoose: (name: string) => void;
}

/** The capabilities that fit what was typed. */
export function CommandList({ entries, next, onChoose }: CommandListProps) {
  const [text, setText] = useState('');
  const [recent] = useState(recentNames);
  const commands = useMemo(() => commandsFor(entries, text, recent, next), [entries, text, recent, next]);
  const choose = (index: number) => {
    const command = commands[index];
    if (command?.available) onChoose(command.name);
  };
  const cursor = useListCursor(commands.length, choose, 0);
  return (
    <>
      <ComboboxInput
        data-autofocus
        autoFocus // Mantine's trap would come some time later, and what is typed until then would be lost
        size="md"
        variant="unstyled"
        className={classes.search}
        leftSection={<IconSearch size={17} aria-hidden />}
        aria-label={i18n._('Find an action')}
        placeholder={i18n._('What do you want to do?')}
        list={LIST}
        cursor={cursor}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          cursor.set(0);
        }}
      />
      <div className={classes.list}>
        {commands.length === 0 && <Empty title={i18n._('No action by that name')} />}
        <VirtualListbox
          id={LIST}
          label={i18n._('Actions')}
          items={commands}
          keyOf={(command) => command.name}
          rowHeight={46}
          cursor={cursor}
          focusable={false}
          isDisabled={(command) => !command.available}
          onChoose={choose}
          renderRow={(command) => <CommandRow command={command} next={next.includes(command.name)} />}
        />
      </div>
    </>
  );
}

function CommandRow({ command, next }: { command: ManifestEntry; next: boolean }) {
  const mark = riskText(command.side_effect);
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
      {command.shortcut && <Kbd>{command.shortcut}</Kbd>}
    </div>
  );
}
