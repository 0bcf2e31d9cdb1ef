import { Text } from '@mantine/core';
import type { Response } from '../../bridge/capabilities';
import { i18n } from '../../language/i18n';
import { useInvoke } from '../../queries/useInvoke';
import { Segments } from '../../ui/form/Segments';
import { keyed } from '../../ui/keys/keyed';
import { useKeys } from '../../ui/keys/useKeys';
import type { Optimistic } from './useOptimistic';

type Fulfils = Response<'cart.getSummary'>['fulfilment'];

const choices: readonly { value: Fulfils; label: string }[] = [
  { value: 'takeAway', label: i18n._('Take along') },
  { value: 'pickUp', label: i18n._('Pick up') },
  { value: 'deliver', label: i18n._('Deliver') },
];

const KEY = 'Shift+F4';

/** How the buyer gets the goods: one of three, and a key for the next one. */
export function Fulfilment({ shown: { value, show } }: { shown: Optimistic<Fulfils> }) {
  const set = useInvoke('cart.setShipping', { source: 'Fulfilment', inTurn: true });
  const choose = (fulfilment: Fulfils) => {
    show(fulfilment);
    set.mutate({ fulfilment }, { onError: () => show(undefined) });
  };
  const next = choices[(choices.findIndex((choice) => choice.value === value) + 1) % choices.length];
  useKeys({ [KEY]: { does: i18n._('How the buyer gets it'), act: () => next && choose(next.value) } });
  return (
    <div>
      <div {...keyed(KEY)}>
        <Segments label={i18n._('How the buyer gets it')} value={value} choices={choices} onChange={choose} />
      </div>
      {set.error && (
        <Text size="xs" c="var(--mantine-color-error)" role="alert">
          {set.error.message}
        </Text>
      )}
    </div>
  );
}
