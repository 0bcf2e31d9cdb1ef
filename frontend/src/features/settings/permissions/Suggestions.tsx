import { Text } from '@mantine/core';
import { Proposal } from '../../../kit/grants/Proposal';
import { i18n } from '../../../language/i18n';
import { useCapability } from '../../../queries/useCapability';
import { useEntry } from '../../../queries/useManifest';
import { Part } from '../../../ui/page/Page';
import page from '../../../ui/page/Page.module.css';

/** Grants that the log suggests; nothing while it suggests none. */
export function Suggestions() {
  const may = useEntry('grant.suggest') !== undefined;
  const { data } = useCapability('grant.suggest', {}, { source: 'Settings', enabled: may });
  if (!data || data.proposals.length === 0) return null;
  return (
    <Part title={i18n._('What the log suggests')}>
      <Text size="xs" c="dimmed">
        {i18n._(
          'You allowed these again and again. Each grant is as narrow as that, and covers nothing that was denied.',
        )}
      </Text>
      <ul className={page.rows} aria-label={i18n._('Suggested grants')}>
        {data.proposals.map((proposal) => (
          <li key={`${proposal.capability} ${proposal.grantee.model} ${proposal.grantee.person}`}>
            <div className={page.grow}>
              <Proposal proposal={proposal} source="Settings" />
            </div>
          </li>
        ))}
      </ul>
    </Part>
  );
}
