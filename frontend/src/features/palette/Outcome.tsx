import { Anchor, Button, Group, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import type { JsonObject, Success } from '../../bus/wire';
import { humanize } from '../../ui/format';
import { readable } from '../../ui/readable';
import classes from './Palette.module.css';

interface OutcomeProps {
  result: Success<JsonObject>;
  onClose: () => void;
  onOpenTrace: (requestId: string) => void;
}

/** What came of a capability, field by field. */
export function Outcome({ result, onClose, onOpenTrace }: OutcomeProps) {
  const done = useRef<HTMLButtonElement>(null);
  useEffect(() => done.current?.focus(), []);
  const fields = Object.entries(result.data ?? {});
  return (
    <div>
      <Text fw={600} role="status">
        Done
      </Text>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section className={classes.outcome} tabIndex={0} aria-label="Result">
        <dl className={classes.facts}>
          {fields.map(([name, value]) => (
            <div key={name}>
              <dt>{humanize(name)}</dt>
              <dd>{readable(value)}</dd>
            </div>
          ))}
        </dl>
      </section>
      <Group justify="space-between" gap="xs">
        <Anchor component="button" type="button" size="sm" onClick={() => onOpenTrace(result.request_id)}>
          See the record
        </Anchor>
        <Button ref={done} onClick={onClose}>
          Close
        </Button>
      </Group>
    </div>
  );
}
