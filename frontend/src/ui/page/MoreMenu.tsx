import { Button, Menu, Text } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { useRef } from 'react';
import { i18n } from '../../language/i18n';

interface MoreItem {
  key: string;
  title: string;
  /** What it is for. */
  help?: string;
  /** Why it is not possible now. */
  refused?: string;
  onClick: () => void;
}

/** The menu of what is seldom needed on a page, each with what it is for or why it is not possible now. */
export function MoreMenu({ items }: { items: readonly MoreItem[] }) {
  const button = useRef<HTMLButtonElement>(null);
  return (
    <Menu position="bottom-end" withinPortal={false} width="22rem">
      <Menu.Target>
        <Button ref={button} variant="default" rightSection={<IconChevronDown size={15} aria-hidden />}>
          {i18n._('More')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {items.map(({ key, title, help, refused, onClick }) => (
          <Menu.Item
            key={key}
            disabled={refused !== undefined}
            onClick={() => {
              button.current?.focus(); // where a dialog brings it back to
              onClick();
            }}
          >
            {title}
            <Text size="xs">{refused ?? help}</Text>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
