import { Anchor, Text } from '@mantine/core';
import { IconCheck, IconClock, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { entry, PLAN, riskText } from '../../bridge/manifest';
import { formatDuration } from '../../language/format';
import { i18n } from '../../language/i18n';
import { useManifest } from '../../queries/useManifest';
import { Badge } from '../../ui/page/Badge';
import { useAsked } from '../approvals/useCards';
import { resultRows } from '../palette/resultRows';
import { RecordRows } from '../RecordRows';
import { useNamesIn } from '../records';
import { Undo } from '../undo/Undo';
import { PlanSteps, Values } from './CallValues';
import classes from './Chat.module.css';
import type { Called } from './thread';

interface CallCardProps {
  call: Called;
  /** Nothing was called after it in its turn: what it found is what was asked for. */
  last?: boolean;
  onOpenTrace: (requestId: string) => void;
}

/** As many rows of what a list found as are shown at once. */
const SHOWN = 3;

/** One call of the assistant: the capability, its arguments, what it found and its outcome. */
export function CallCard({ call, last, onOpenTrace }: CallCardProps) {
  const { outcome, requestId } = call;
  const names = useNamesIn(call);
  const manifest = useManifest();
  const answering = entry(manifest, call.capability);
  const mark = riskText(answering ?? { side_effect: call.sideEffect });
  const [all, setAll] = useState(false);
  const result = call.found && resultRows(manifest, call.capability, call.found);
  const count = result?.rows.length ?? 0;
  const shown = last ? SHOWN : 0;
  const asked = useAsked();
  const state = stateOf(call, asked);
  return (
    <article
      className={classes.call}
      aria-label={i18n._('{what}: {state}', { what: call.title, state: stateText(state) })}
    >
      <div className={classes.callHead}>
        <StateIcon state={state} />
        <Text size="xs" fw={600} truncate>
          {call.title}
        </Text>
        {mark && <Badge color="brick">{mark}</Badge>}
        <Text size="xs" c="dimmed" className={classes.time}>
          {outcome && !outcome.declined ? formatDuration(outcome.at - call.startedAt) : stateText(state)}
        </Text>
      </div>
      {call.capability === PLAN ? (
        <PlanSteps steps={call.arguments.steps} names={names} />
      ) : (
        <Values of={call.arguments} capability={call.capability} names={names} />
      )}
      {outcome?.message && (
        <Text size="xs" className={state === 'declined' ? undefined : classes.refused}>
          {outcome.message} {outcome.hint}
        </Text>
      )}
      {call.found && result && answering && (last || all || !result.record) && (count > 0 || result.record) && (
        <RecordRows entry={answering} pages={[call.found]} result={result} most={all ? undefined : shown} />
      )}
      {outcome && requestId && (
        <div className={classes.callFoot}>
          <Anchor component="button" type="button" size="xs" onClick={() => onOpenTrace(requestId)}>
            {footText(state)}
          </Anchor>
          {count > shown && (
            <Anchor component="button" type="button" size="xs" aria-expanded={all} onClick={() => setAll(!all)}>
              {all ? i18n._('Show fewer') : i18n._('{count, plural, one {Show it} other {Show all #}}', { count })}
            </Anchor>
          )}
          {call.undoable && <Undo requestId={requestId} what={call.title} source="Chat" announced />}
        </div>
      )}
    </article>
  );
}

type State = 'working' | 'asked' | 'done' | 'declined' | 'failed';

function stateOf({ outcome, requestId }: Called, asked: readonly string[]): State {
  if (!outcome) return requestId && asked.includes(requestId) ? 'asked' : 'working';
  if (outcome.ok) return 'done';
  return outcome.declined ? 'declined' : 'failed';
}

function stateText(state: State): string {
  switch (state) {
    case 'working':
      return i18n._('working');
    case 'asked':
      return i18n._('waiting for you');
    case 'done':
      return i18n._('done');
    case 'declined':
      return i18n._('declined');
    case 'failed':
      return i18n._('not done');
  }
}

function footText(state: State): string {
  if (state === 'done') return i18n._('Done · see the record');
  return state === 'declined' ? i18n._('Declined · see the record') : i18n._('Not done · see the record');
}

function StateIcon({ state }: { state: State }) {
  if (state === 'done') return <IconCheck size={14} aria-hidden className={classes.done} />;
  if (state === 'declined') return <IconX size={14} aria-hidden className={classes.declined} />;
  if (state === 'failed') return <IconX size={14} aria-hidden className={classes.refused} />;
  return <IconClock size={14} aria-hidden className={classes.waiting} />;
}
