import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { withCapabilityTitles } from '../../bridge/manifest';
import { failureText } from '../../bridge/violations';
import type { JsonObject } from '../../bridge/wire';
import { formatDuration, formatMoment, humanize } from '../../language/format';
import { i18n } from '../../language/i18n';
import { useManifest } from '../../queries/useManifest';
import { Badge } from '../../ui/page/Badge';
import { inNames } from '../approvals/cards';
import { useDomain, usePersonNames } from '../domain';
import { RecordLink } from '../RecordLink';
import { readValues, useNamesIn } from '../records';
import { RowChanges } from '../rows/RowChanges';
import classes from './Audit.module.css';
import { type AuditRecord, besideTitle, callerText, decisionText, eventText, outcomeOf } from './record';

interface RecordStepProps {
  record: AuditRecord;
  title: string | undefined;
  current: boolean;
  /** A button for the record, which is told what was done. */
  action?: (what: string) => ReactNode;
}

/** One record of a trace, from the call to the rows it changed. */
export function RecordStep({ record, title, current, action }: RecordStepProps) {
  const outcome = outcomeOf(record);
  const personName = usePersonNames([record.caller.person, record.decision?.answer && record.decision.by]);
  const { roleText } = useDomain();
  const { capability = '', facts, effects: rows } = record;
  const values = (record.arguments ?? {}) as JsonObject;
  const names = useNamesIn({ capability, arguments: values, facts, rows });
  const by = record.decision?.answer ? personName(record.decision.by) : record.decision?.by;
  const decision = decisionText(record.decision && { ...record.decision, by });
  const failure = failureText(record);
  const manifest = useManifest();
  const capabilities = manifest?.capabilities ?? [];
  const hint = withCapabilityTitles(failure.hint, capabilities);
  return (
    <li className={classes.step} aria-current={current ? 'step' : undefined}>
      <div className={classes.stepHead}>
        <Text fw={600}>{title ?? record.capability}</Text>
        <Badge color={outcome.color}>{outcome.text}</Badge>
        <Text size="xs" c="dimmed" className={classes.when}>
          {formatMoment(record.time)} · {formatDuration(record.duration_ms)}
        </Text>
        {action?.(inNames(record.summary ?? title ?? '', names))}
      </div>
      {(record.summary || failure.message) && (
        <Text>
          {inNames(
            besideTitle(title ?? '', record.summary ?? withCapabilityTitles(failure.message, capabilities) ?? ''),
            names,
          )}
        </Text>
      )}
      {hint && (
        <Text size="xs" c="dimmed">
          {hint}
        </Text>
      )}
      <dl className={classes.facts}>
        <dt>{i18n._('Asked by')}</dt>
        <dd>{callerLine(record, personName(record.caller.person), roleText)}</dd>
        {record.reasoning && (
          <>
            <dt>{i18n._('Reasoning')}</dt>
            <dd>{record.reasoning}</dd>
          </>
        )}
        {readValues(manifest, capability, values, names).map(({ name, text, record: of }) => (
          <Fact key={name} label={humanize(name)} text={<RecordLink record={of}>{text}</RecordLink>} />
        ))}
        {decision && <Fact label={i18n._('Decision')} text={decision} />}
        {record.events?.map((event, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a record's events do not change
          <Fact key={at} label={i18n._('Event')} text={eventText(event)} />
        ))}
        <Fact
          label={i18n._('Record')}
          text={[
            record.seq,
            record.capability,
            record.caller.type !== 'agent' && record.caller.source,
            record.request_id,
          ]
            .filter(Boolean)
            .join(' · ')}
        />
      </dl>
      {record.effects && record.effects.length > 0 && (
        <div className={classes.effects}>
          <Text size="xs" fw={600} c="dimmed">
            {i18n._('What it changed')}
          </Text>
          <RowChanges rows={record.effects} facts={record.facts} names={names} />
        </div>
      )}
    </li>
  );
}

function Fact({ label, text }: { label: string; text: ReactNode }) {
  return (
    <>
      <dt>{label}</dt>
      <dd>{text}</dd>
    </>
  );
}

function callerLine(
  { caller, model }: AuditRecord,
  person: string | undefined,
  roleText: (role: string) => string,
): string {
  const place = /^\w+:(.+)/.exec(caller.door ?? '')?.[1]; // of a door that has a name
  const parts = [callerText(caller.type), person, caller.role && roleText(caller.role), place, model?.name];
  return parts.filter(Boolean).join(' · ');
}
