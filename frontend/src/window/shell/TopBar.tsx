import { Button, Group, Text } from '@mantine/core';
import { IconLock, IconMessage2, IconMoon, IconSun } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { i18n } from '../../language/i18n';
import { useCapability } from '../../queries/useCapability';
import { useInvoke } from '../../queries/useInvoke';
import { useEntry, useManifest, useRefusal } from '../../queries/useManifest';
import { useLeave, useSession } from '../../shop/session';
import { roleText } from '../../shop/vocabulary';
import { IconAction } from '../../ui/form/IconAction';
import { keyed } from '../../ui/keys/keyed';
import classes from './Shell.module.css';

const source = { source: 'TopBar' };

interface TopBarProps {
  chatOpen: boolean;
  onToggleChat: () => void;
  onOpenPalette: () => void;
  activity: ReactNode;
}

/** The shop's name, the way to everything, and who is at the desk. */
export function TopBar({ chatOpen, onToggleChat, onOpenPalette, activity }: TopBarProps) {
  const manifest = useManifest();
  const session = useSession();
  const { data: settings } = useCapability('settings.get', { section: 'shop' }, source);
  return (
    <header className={classes.bar}>
      <Text fw={600} truncate className={classes.shop}>
        {settings?.shop?.name ?? manifest?.application.name ?? 'Deskhand'}
      </Text>
      <Button
        variant="default"
        className={classes.search}
        justify="space-between"
        onClick={onOpenPalette}
        {...keyed('Ctrl+K')}
      >
        <Text span inherit truncate>
          {i18n._('Find pages, records, settings, actions')}
        </Text>
      </Button>
      <Group gap="xs" wrap="nowrap">
        {activity}
        <ThemeToggle />
        <Button
          variant={chatOpen ? 'light' : 'default'}
          leftSection={<IconMessage2 size={16} aria-hidden />}
          onClick={onToggleChat}
          aria-pressed={chatOpen}
          {...keyed('Ctrl+J')}
        >
          {i18n._('Assistant')}
        </Button>
      </Group>
      {session?.staff && <Lock />}
      {session?.staff && (
        <div className={classes.person}>
          <Text size="xs" fw={500} truncate>
            {session.staff.name}
          </Text>
          <Text size="xs" c="dimmed" truncate>
            {roleText(session.staff.role)}
          </Text>
        </div>
      )}
    </header>
  );
}

function Lock() {
  const { run, isPending } = useLeave();
  return (
    <IconAction
      label={i18n._('Lock, or let somebody else in')}
      loading={isPending}
      disabledReason={useRefusal('session.signOut')}
      onClick={run}
    >
      <IconLock size={17} aria-hidden />
    </IconAction>
  );
}

function ThemeToggle() {
  const entry = useEntry('theme.toggle');
  const { mutate } = useInvoke('theme.toggle', { source: 'ThemeToggle' });
  if (!entry) return null;
  return (
    <IconAction label={entry.title} onClick={() => mutate({})}>
      <IconSun size={17} aria-hidden className="mantine-dark-hidden" />
      <IconMoon size={17} aria-hidden className="mantine-light-hidden" />
    </IconAction>
  );
}
