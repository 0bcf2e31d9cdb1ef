import { Button, Text } from '@mantine/core';
import { i18n } from '../../language/i18n';
import { useCapability } from '../../queries/useCapability';
import { useEntry } from '../../queries/useManifest';
import { Proposal } from '../grants/Proposal';
import classes from './Approvals.module.css';

interface GrantSuggestionProps {
  capability: string;
  onDone: () => void;
}

/** The grant that the log suggests for a capability; nothing while it suggests none, or for who may give none. */
export default function GrantSuggestion({ capability, onDone }: GrantSuggestionProps) {
  const suggests = useEntry('grant.suggest') !== undefined;
  const gives = useEntry('grant.create') !== undefined;
  const { data } = useCapability('grant.suggest', { capability }, { source: 'Approvals', enabled: suggests && gives });
  const proposal = data?.proposals[0];
  if (!proposal) return null;
  return (
    <section className={classes.suggestion} aria-label={i18n._('A grant for what you allow again and again')}>
      <Text size="xs" fw={600}>
        {i18n._('You allowed this five times. Within these bounds it need not ask:')}
      </Text>
      <Proposal proposal={proposal} source="Approvals" onGiven={onDone}>
        <Button variant="subtle" onClick={onDone}>
          {i18n._('Go on asking')}
        </Button>
      </Proposal>
    </section>
  );
}
