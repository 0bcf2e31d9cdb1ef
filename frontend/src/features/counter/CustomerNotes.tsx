import { Text } from '@mantine/core';
import { i18n } from '../../language/i18n';
import { useCapability } from '../../queries/useCapability';
import classes from './Counter.module.css';

/** What was last written down about the customer of the cart, to be seen while they are served. */
export function CustomerNotes({ customerId }: { customerId: string }) {
  const { data } = useCapability('customer.get', { customerId }, { source: 'CustomerNotes' });
  if (data?.id !== customerId || data.notes.length === 0) return null;
  return (
    <ul className={classes.notes} aria-label={i18n._('Notes')}>
      {data.notes.slice(0, 2).map(({ id, text }) => (
        <li key={id}>
          <Text size="xs" lineClamp={2}>
            {text}
          </Text>
        </li>
      ))}
    </ul>
  );
}
