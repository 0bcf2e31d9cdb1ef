import { Button, Text } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { i18n } from '../../language/i18n';
import type { Picking } from '../../ui/list/picking';
import classes from './Selection.module.css';

interface SelectionBarProps {
  picking: Picking;
  /** Whether the list has more rows than are loaded. */
  goesOn: boolean;
  /** The actions that work on several records. */
  children: ReactNode;
}

/** How many records are selected, and what can be done with all of them. Below the list: no row moves when it comes. */
export function SelectionBar({ picking, goesOn, children }: SelectionBarProps) {
  const { count, elsewhere, every, clear } = picking;
  return (
    <section aria-label={i18n._('Selected')} className={classes.bar} hidden={count === 0}>
      <Text size="sm" fw={600} role="status">
        {count > 0 && i18n._('{count, plural, one {# selected} other {# selected}}', { count })}
        {elsewhere > 0 && (
          <Text span size="xs" c="dimmed" ml="xs">
            {i18n._('{count, plural, one {# of them is} other {# of them are}} not in this list', { count: elsewhere })}
          </Text>
        )}
        {every && goesOn && (
          <Text span size="xs" c="dimmed" ml="xs">
            {i18n._('All that are loaded; the list goes on.')}
          </Text>
        )}
      </Text>
      {count > 0 && (
        <>
          {children}
          <Button variant="subtle" color="gray" leftSection={<IconX size={15} aria-hidden />} onClick={clear}>
            {i18n._('Select none')}
          </Button>
        </>
      )}
    </section>
  );
}
