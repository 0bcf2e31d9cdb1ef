import { Text } from '@mantine/core';
import { useState } from 'react';
import type { CapabilityName, Response } from '../../../bridge/capabilities';
import type { JsonObject } from '../../../bridge/wire';
import { CapabilityButton } from '../../../kit/actions/CapabilityButton';
import { CapabilityDialog } from '../../../kit/actions/CapabilityDialog';
import { formatMoment } from '../../../language/format';
import { i18n } from '../../../language/i18n';
import { useCapability } from '../../../queries/useCapability';
import { useInvoke } from '../../../queries/useInvoke';
import { useEntry, useRefusal } from '../../../queries/useManifest';
import { ActionButton } from '../../../ui/form/ActionButton';
import { Empty, Problem } from '../../../ui/page/Note';
import { Part } from '../../../ui/page/Page';
import page from '../../../ui/page/Page.module.css';
import { Reading } from '../../../ui/page/Reading';
import { useDraft } from '../../../ui/window/useKept';
import classes from './Drafts.module.css';

const source = 'Drafts';

type Outside = Response<'draft.get'>['outside'];

/** The copies of the shop on which things are tried: opened, worked on, merged and discarded. */
export function Drafts() {
  const read = useCapability('draft.list', {}, { source });
  const open = useInvoke('draft.open', { source });
  const enter = useInvoke('draft.enter', { source });
  // It is nowhere else once its draft is merged.
  const [outside = [], setOutside] = useDraft<Outside>('left of drafts');
  const drafts = read.data?.drafts;
  const error = open.error ?? enter.error;
  return (
    <>
      <Part title={i18n._('Try it on a copy')}>
        <Text mb="sm">
          {i18n._(
            'You and the assistant work on a copy of the shop, without a question for each step. Nothing of it is real until you merge it, and no mail or webhook goes out from it.',
          )}
        </Text>
        {error && <Problem message={error.message} hint={error.recoveryHint} />}
        <ActionButton
          disabledReason={useRefusal('draft.open')}
          loading={open.isPending || enter.isPending}
          onClick={() => open.mutate({}, { onSuccess: ({ data }) => enter.mutate(data) })}
        >
          {i18n._('Open a copy')}
        </ActionButton>
      </Part>
      <Part title={i18n._('Drafts')}>
        {!drafts && <Reading label={i18n._('Reading the drafts')} of={read} />}
        {drafts?.length === 0 && (
          <Empty title={i18n._('No draft is open')}>{i18n._('A draft that was merged or discarded is gone.')}</Empty>
        )}
        <ul className={`${page.rows} ${classes.drafts}`} aria-label={i18n._('Drafts')}>
          {drafts?.map((draft) => (
            <Draft
              key={draft.draftId}
              {...draft}
              onMerged={(left) => setOutside((before = []) => [...before, ...left])}
            />
          ))}
        </ul>
      </Part>
      {outside.length > 0 && (
        <Part title={i18n._('What was to leave this computer')}>
          <Text mb="sm">{i18n._('It was not done on the draft. Each is asked for by itself.')}</Text>
          <ul className={page.rows} aria-label={i18n._('What was to leave this computer')}>
            {outside.map((call, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two may be the same call
              <Waiting key={at} {...call} onRemove={() => setOutside((before = []) => before.toSpliced(at, 1))} />
            ))}
          </ul>
        </Part>
      )}
    </>
  );
}

/** What was to leave this computer: its form, filled in as it was called, which a person reads and submits. */
function Waiting({ capability, arguments: args, onRemove }: Outside[number] & { onRemove: () => void }) {
  const name = capability as CapabilityName;
  const title = useEntry(name)?.title ?? name;
  const [open, setOpen] = useState(false);
  return (
    <li>
      <Text className={page.grow}>{title}</Text>
      <ActionButton variant="default" disabledReason={useRefusal(name)} onClick={() => setOpen(true)}>
        {i18n._('Look at it…')}
      </ActionButton>
      <ActionButton variant="default" onClick={onRemove}>
        {i18n._('Remove')}
      </ActionButton>
      {open && (
        <CapabilityDialog name={name} args={args as JsonObject} source={source} onClose={() => setOpen(false)} />
      )}
    </li>
  );
}

interface DraftProps {
  draftId: string;
  openedAt: number;
  endsAt: number;
  onMerged: (outside: Outside) => void;
}

function Draft({ draftId, openedAt, endsAt, onMerged }: DraftProps) {
  const { data, error } = useCapability('draft.get', { draftId }, { source });
  const merge = useInvoke('draft.merge', { source });
  const refused = useRefusal('draft.merge');
  const nothing = data?.changes.length === 0 ? i18n._('Nothing was changed on it.') : undefined;
  const problem = merge.error ?? error;
  return (
    <li>
      <div className={page.grow}>
        <Text fw={500}>{i18n._('Copy of {moment}', { moment: formatMoment(openedAt) })}</Text>
        <Text size="xs" c="dimmed">
          {i18n._('It ends on {moment}.', { moment: formatMoment(endsAt) })}
          {data && data.models.length > 0 && ` ${i18n._('Models: {models}', { models: data.models.join(', ') })}`}
        </Text>
        {nothing && <Text size="xs">{nothing}</Text>}
        <ol className={classes.changes}>
          {data?.changes.map(({ requestId, summary }) => (
            <li key={requestId}>{summary}</li>
          ))}
        </ol>
        {problem && <Problem message={problem.message} hint={problem.recoveryHint} />}
      </div>
      <div className={classes.buttons}>
        <CapabilityButton name="draft.enter" args={{ draftId }} source={source}>
          {i18n._('Work on it')}
        </CapabilityButton>
        <ActionButton
          disabledReason={refused ?? nothing}
          loading={merge.isPending}
          onClick={() => merge.mutate({ draftId }, { onSuccess: () => onMerged(data?.outside ?? []) })}
        >
          {i18n._('Merge…')}
        </ActionButton>
        <CapabilityButton name="draft.discard" args={{ draftId }} source={source}>
          {i18n._('Discard')}
        </CapabilityButton>
      </div>
    </li>
  );
}
