import { Anchor, Button, Group, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import type { JsonObject, Success } from '../../bridge/wire';
import { formatMinute, humanize } from '../../language/format';
import { i18n } from '../../language/i18n';
import { isBareId, isMoment, readable } from '../../language/readable';
import { useNextActions } from '../../queries/useManifest';
import classes from './Palette.module.css';

interface OutcomeProps {
  result: Success<JsonObject>;
  onChoose: (capability: string) => void;
  onClose: () => void;
  onOpenTrace: (requestId: string) => void;
}

const OFFERED = 3; // next actions

/** The result of a capability, field by field, and the likely next actions. */
export function Outcome({ result, onChoose, onClose, onOpenTrace }: OutcomeProps) {
  const done = useRef<HTMLButtonElement>(null);
  useEffect(() => done.current?.focus(), []);
  const next = useNextActions().slice(0, OFFERED);
  const fields = Object.entries(result.data ?? {}).filter(([name, value]) => !isBareId(name, value));
  return (
    <div>
      <Text fw={600} role="status">
        {i18n._('Done')}
      </Text>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section className={classes.outcome} tabIndex={0} aria-label={i18n._('Result')}>
        <dl className={classes.facts}>
          {fields.map(([name, value]) => (
            <div key={name}>
              <dt>{humanize(name)}</dt>
              <dd>{isMoment(name, value) ? formatMinute(value) : readable(value)}</dd>
            </div>
          ))}
        </dl>
      </section>
      {next.length > 0 && (
        <Group component="section" gap="xs" mb="sm" aria-label={i18n._('What could come next')}>
          <Text size="xs" c="dimmed">
            {i18n._('Next:')}
          </Text>
          {next.map(({ name, title }) => (
            <Button key={name} variant="default" onClick={() => onChoose(name)}>
              {title}
            </Button>
          ))}
        </Group>
      )}
      <Group justify="space-between" gap="xs">
        <Anchor component="button" type="button" size="sm" onClick={() => onOpenTrace(result.request_id)}>
          {i18n._('See the record')}
        </Anchor>
        <Button ref={done} onClick={onClose}>
          {i18n._('Close')}
        </Button>
      </Group>
    </div>
  );
}
