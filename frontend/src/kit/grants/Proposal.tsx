import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Response } from '../../bridge/capabilities';
import { entry } from '../../bridge/manifest';
import { i18n } from '../../language/i18n';
import { useInvoke } from '../../queries/useInvoke';
import { useManifest, useRefusal } from '../../queries/useManifest';
import { ActionButton } from '../../ui/form/ActionButton';
import { Problem } from '../../ui/page/Note';
import { useNamedBounds } from '../records';
import { termsText } from './bounds';
import { TrialText } from './TrialText';

/** A grant that the log suggests. */
export type Suggested = Response<'grant.suggest'>['proposals'][number];

interface ProposalProps {
  proposal: Suggested;
  source: string;
  onGiven?: () => void;
  /** Other answers. */
  children?: ReactNode;
}

/** A grant that would have spared cards: its bounds, what it would have done, and the button that gives it. */
export function Proposal({ proposal, source, onGiven, children }: ProposalProps) {
  const { grantee, capability, constraints, limits, until } = proposal;
  const named = useNamedBounds(capability, constraints);
  const title = entry(useManifest(), capability)?.title ?? capability;
  const give = useInvoke('grant.create', { source, once: true });
  const refused = useRefusal('grant.create');
  return (
    <>
      <Text fw={500}>{title}</Text>
      <Text size="xs">{termsText({ ...proposal, constraints: named })}</Text>
      <TrialText trial={proposal} />
      {give.error && <Problem message={give.error.message} hint={give.error.recoveryHint} />}
      <Group gap="xs" mt={6}>
        <ActionButton
          variant="default"
          aria-label={i18n._('Give this grant: {what}', { what: title })}
          loading={give.isPending}
          disabledReason={refused}
          onClick={() => give.mutate({ grantee, capability, constraints, limits, until }, { onDone: onGiven })}
        >
          {i18n._('Give this grant')}
        </ActionButton>
        {children}
      </Group>
    </>
  );
}
