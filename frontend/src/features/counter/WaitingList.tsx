import { Text } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { i18n } from '../../language/i18n';
import { IconAction } from '../../ui/form/IconAction';
import classes from './Counter.module.css';
import { removeWaiting, useWaiting } from './waiting';

/** What is put into the cart when the link is back. */
export function WaitingList() {
  const waiting = useWaiting();
  if (waiting.length === 0) return null;
  return (
    <section className={classes.waiting} aria-label={i18n._('Waits for the link')}>
      <Text size="sm" fw={600}>
        {i18n._('Waits for the link')}
      </Text>
      <ul>
        {waiting.map(({ key, args, name }) => (
          <li key={key}>
            <Text size="sm" truncate>
              {args.quantity} × {name}
            </Text>
            <IconAction label={i18n._('Leave out {name}', { name })} onClick={() => removeWaiting(key)}>
              <IconX size={14} aria-hidden />
            </IconAction>
          </li>
        ))}
      </ul>
    </section>
  );
}
