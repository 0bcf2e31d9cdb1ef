import { Button, Menu, Text } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { useManifest } from '../../asking/useManifest';
import { entry, refusal } from '../../door/manifest';
import { i18n } from '../../language/i18n';
import { useOpenCommand } from '../desk/useOpenCommand';

interface CommandMenuProps {
  /** Capabilities that are seldom needed on a page; those that the person does not have are left out. */
  names: readonly string[];
}

/** A menu that opens the forms of capabilities, with what each is for or why it is not possible now. */
export function CommandMenu({ names }: CommandMenuProps) {
  const manifest = useManifest();
  const open = useOpenCommand();
  const entries = names.flatMap((name) => entry(manifest, name) ?? []);
  if (entries.length === 0) return null;
  return (
    <Menu position="bottom-end" withinPortal={false} width="22rem">
      <Menu.Target>
        <Button variant="default" rightSection={<IconChevronDown size={15} aria-hidden />}>
          {i18n._('More')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {entries.map((one) => (
          <Menu.Item key={one.name} disabled={!one.available} onClick={() => open(one.name)}>
            {one.title}
            <Text size="xs" c="dimmed">
              {refusal(one) ?? one.help}
            </Text>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
