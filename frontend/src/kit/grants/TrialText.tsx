import { Anchor, Text } from '@mantine/core';
import { i18n } from '../../language/i18n';
import { useDomain } from '../domain';
import { besidesText, cardsText, type Trial } from './trial';

/** As many denied requests as have a way to their record. */
const NAMED = 5;

/** A trial in words, with a way to each denied request that it would have let through. */
export function TrialText({ trial }: { trial: Trial }) {
  const open = useDomain().useOpenLink();
  const through = trial.deniedSpared.slice(0, NAMED);
  return (
    <Text size="xs" c={through.length > 0 ? 'var(--dh-warn)' : 'dimmed'} mb={4} data-trial>
      {cardsText(trial)} {besidesText(trial)}{' '}
      {open &&
        through.map((id, index) => (
          <Anchor key={id} component="button" type="button" size="xs" mr={6} onClick={() => open(`audit/${id}`)}>
            {i18n._('Denied: record {number}', { number: index + 1 })}
          </Anchor>
        ))}
    </Text>
  );
}
