import { Badge, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useCurrency } from '../../bus/currency';
import { type Names, named } from '../../bus/names';
import { useCustomerIn, usePersonName } from '../../bus/people';
import { failureText } from '../../bus/violations';
import { vocabulary } from '../../bus/vocabulary';
import type { Json } from '../../bus/wire';
import { formatDuration, formatMoment, humanize } from '../../ui/format';
import { RowChanges } from '../../ui/RowChanges';
import { readable } from '../../ui/readable';
import { currencyIn } from '../../ui/rows';
import classes from './Audit.module.css';
import { type AuditRecord, callerText, decisionText, outcomeOf } from './record';

interface RecordStepProps {
  record: AuditRecord;
  title: string | undefined;
  current: boolean;
  /** Names by id, as the trace tells them. */
  names: Names;
  /** What can be done with it. */
  action?: ReactNode;
}

/** One record of a trace, from the call to the rows it changed. */
export function RecordStep({ record, title, current, names: told, action }: RecordStepProps) {
  const outcome = outcomeOf(record);
  const personName = usePersonName();
  const currency = useCurrency();
  const names = { ...useCustomerIn(record.facts), ...told };
  const by = record.decision?.answer ? personName(record.decision.by) : record.decision?.by;
  const decision = decisionText(record.decision && { ...record.decision, by });
  const failure = failureText(record);
  const args = Object.entries(record.arguments ?? {});
  return (
    <li className={classes.step} aria-current={current ? 'step' : undefined}>
      <div className={classes.stepHead}>
        <Text fw={600}>{title ?? record.capability}</Text>
        <Badge color={outcome.color}>{outcome.text}</Badge>
        <Text size="xs" c="dimmed" className={classes.when}>
          {formatMoment(record.time)} · {formatDuration(record.duration_ms)}
        </Text>
        {action}
      </div>
      {(record.summary || failure.message) && <Text>{record.summary ?? failure.message}</Text>}
      {failure.hint && (
        <Text size="xs" c="dimmed">
          {failure.hint}
        </Text>
      )}
      <dl className={classes.facts}>
        <dt>Asked by</dt>
        <dd>{callerLine(record, personName(record.caller.person))}</dd>
        {record.reasoning && (
          <>
            <dt>Reasoning</dt>
            <dd>{record.reasoning}</dd>
          </>
        )}
        {args.map(([name, value]) => (
          <Fact key={name} label={humanize(name)} text={readable(named(value as Json, names))} />
        ))}
        {decision && <Fact label="Decision" text={decision} />}
        <Fact label="Record" text={`${record.seq} · ${record.capability} · ${record.request_id}`} />
      </dl>
      {record.effects && record.effects.length > 0 && (
        <div className={classes.effects}>
          <Text size="xs" fw={600} c="dimmed">
            What it changed
          </Text>
          <RowChanges
            rows={record.effects}
            vocabulary={vocabulary}
            currency={currencyIn(record.facts) ?? currency}
            names={names}
          />
        </div>
      )}
    </li>
  );
}

function Fact({ label, text }: { label: string; text: string }) {
  return (
    <>
      <dt>{label}</dt>
      <dd>{text}</dd>
    </>
  );
}

function callerLine({ caller, model }: AuditRecord, person: string | undefined): string {
  const parts = [callerText(caller.type), person, caller.role, caller.source, model?.name];
  return parts.filter(Boolean).join(' · ');
}
