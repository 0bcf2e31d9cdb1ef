import { Anchor, Text } from '@mantine/core';
import { IconCheck, IconClock, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { useManifest } from '../../asking/useManifest';
import { entry, PLAN, riskText } from '../../door/manifest';
import type { JsonObject } from '../../door/wire';
import { formatDuration } from '../../language/format';
import { i18n } from '../../language/i18n';
import { Badge } from '../../ui/page/Badge';
import { rowsIn } from '../palette/rowsIn';
import { RecordRows } from '../RecordRows';
import { useRecords } from '../records';
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

/** One call of the assistant: the capability, its arguments and its outcome. */
export function CallCard({ call, last, onOpenTrace }: CallCardProps) {
  const { outcome, requestId } = call;
  const mark = riskText(call.sideEffect);
  const known = useRecords(call);
  return (
    <article
      className={classes.call}
      aria-label={i18n._('{what}: {state}', { what: call.title, state: stateText(call) })}
    >
      <div className={classes.callHead}>
        <StateIcon call={call} />
        <Text size="xs" fw={600} truncate>
          {call.title}
        </Text>
        {mark && <Badge color="brick">{mark}</Badge>}
        <Text size="xs" c="dimmed" className={classes.time}>
          {outcome ? formatDuration(outcome.at - call.startedAt) : stateText(call)}
        </Text>
      </div>
      {call.capability === PLAN ? (
        <PlanSteps steps={call.arguments.steps} {...known} />
      ) : (
        <Values of={call.arguments} capability={call.capability} {...known} />
      )}
      {outcome?.message && (
        <Text size="xs" className={classes.refused}>
          {outcome.message} {outcome.hint}
        </Text>
      )}
      {call.found && <Found capability={call.capability} answer={call.found} shown={last ? SHOWN : 0} />}
      {outcome && requestId && (
        <div className={classes.callFoot}>
          <Anchor component="button" type="button" size="xs" onClick={() => onOpenTrace(requestId)}>
            {outcome.ok ? i18n._('Done · see the record') : i18n._('Not done · see the record')}
          </Anchor>
          {call.undoable && <Undo requestId={requestId} what={call.title} source="Chat" announced />}
        </div>
      )}
    </article>
  );
}

const SHOWN = 3;

interface FoundProps {
  capability: string;
  answer: JsonObject;
  /** As many rows as are shown at once. */
  shown: number;
}

/** What a list answered: its first rows, and all of them where they are wanted. */
function Found({ capability, answer, shown }: FoundProps) {
  const [all, setAll] = useState(false);
  const list = entry(useManifest(), capability);
  if (!list) return null;
  const count = rowsIn([answer]).rows.length;
  return (
    <section aria-label={i18n._('Result')}>
      <RecordRows entry={list} pages={[answer]} most={all ? undefined : shown} />
      {count > shown && (
        <Anchor component="button" type="button" size="xs" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? i18n._('Show fewer') : i18n._('Show all {count, number}', { count })}
        </Anchor>
      )}
    </section>
  );
}

function stateText({ outcome }: Called): string {
  if (!outcome) return i18n._('working');
  return outcome.ok ? i18n._('done') : i18n._('not done');
}

function StateIcon({ call: { outcome } }: { call: Called }) {
  if (!outcome) return <IconClock size={14} aria-hidden className={classes.waiting} />;
  if (outcome.ok) return <IconCheck size={14} aria-hidden className={classes.done} />;
  return <IconX size={14} aria-hidden className={classes.refused} />;
}
