import { Text } from '@mantine/core';
import { entry } from '../../../bridge/manifest';
import { usePersonNames } from '../../../kit/domain';
import { termsText } from '../../../kit/grants/bounds';
import TriedOut from '../../../kit/grants/TriedOut';
import { useNamedBounds } from '../../../kit/records';
import { formatTime } from '../../../language/format';
import { i18n } from '../../../language/i18n';
import { useInvoke } from '../../../queries/useInvoke';
import { useEntry, useManifest, useRefusal } from '../../../queries/useManifest';
import { ActionButton } from '../../../ui/form/ActionButton';
import { Badge } from '../../../ui/page/Badge';
import { Problem } from '../../../ui/page/Note';
import page from '../../../ui/page/Page.module.css';
import { endedText, type Grant, granteeText, usedText } from './grantTerms';

/** A grant as it was given: all that a trial goes by. */
const asGiven = ({ grantee, capability, constraints, limits, until }: Grant) => ({
  ...{ grantee, capability, constraints, limits, until },
});

/** One grant: what it allows, to whom, and how much of it is used. */
export function GrantRow({ grant }: { grant: Grant }) {
  const capability = entry(useManifest(), grant.capability);
  const constraints = useNamedBounds(grant.capability, grant.constraints);
  const nameOf = usePersonNames([grant.createdBy, grant.grantee.person]);
  const revoke = useInvoke('grant.revoke', { source: 'Settings' });
  const refused = useRefusal('grant.revoke');
  const mayRevoke = useEntry('grant.revoke') !== undefined;
  const ended = endedText(grant);
  return (
    <li>
      <div className={page.grow}>
        <Text fw={500}>
          {capability?.title ?? grant.capability} {ended && <Badge color="gray">{ended}</Badge>}
        </Text>
        <Text size="xs">{termsText({ ...grant, constraints })}</Text>
        <Text size="xs" c="dimmed">
          {usedText(grant)}.{' '}
          {i18n._('For {who}; given by {giver}, {time}.', {
            who: granteeText(grant, nameOf),
            giver: nameOf(grant.createdBy) ?? '',
            time: formatTime(grant.createdAt),
          })}
        </Text>
        {grant.status === 'active' && !grant.inoperative && (
          <TriedOut of={{ grant: asGiven(grant) }} source="Settings" />
        )}
        {grant.reason && (
          <Text size="xs" c="dimmed">
            {i18n._('The assistant’s reason: “{reason}”', { reason: grant.reason })}
          </Text>
        )}
        {revoke.error && <Problem message={revoke.error.message} hint={revoke.error.recoveryHint} />}
      </div>
      {grant.status === 'active' && mayRevoke && (
        <ActionButton
          variant="default"
          loading={revoke.isPending}
          disabledReason={refused}
          onClick={() => revoke.mutate({ grantId: grant.id })}
        >
          {i18n._('Revoke')}
        </ActionButton>
      )}
    </li>
  );
}
