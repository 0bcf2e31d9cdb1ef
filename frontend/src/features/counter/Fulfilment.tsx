import { Text } from '@mantine/core';
import { useInvoke } from '../../asking/useInvoke';
import type { Response } from '../../door/capabilities';
import { i18n } from '../../language/i18n';
import { Segments } from '../../ui/form/Segments';
import { useShown } from './useShown';

/** How the buyer gets the goods: one of three. */
export function Fulfilment({ cart }: { cart: Response<'cart.getSummary'> }) {
  const set = useInvoke('cart.setShipping', { source: 'Fulfilment' });
  const [value, show] = useShown(cart.fulfilment);
  return (
    <div>
      <Segments
        label={i18n._('How the buyer gets it')}
        value={value}
        choices={[
          { value: 'takeAway', label: i18n._('Take along') },
          { value: 'pickUp', label: i18n._('Pick up') },
          { value: 'deliver', label: i18n._('Deliver') },
        ]}
        onChange={(fulfilment) => {
          show(fulfilment);
          set.mutate({ fulfilment }, { onError: () => show(undefined) });
        }}
      />
      {set.error && (
        <Text size="xs" c="var(--mantine-color-error)" role="alert">
          {set.error.message}
        </Text>
      )}
    </div>
  );
}
