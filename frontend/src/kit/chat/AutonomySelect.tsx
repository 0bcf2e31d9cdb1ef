import { NativeSelect, Text } from '@mantine/core';
import { useId, useRef } from 'react';
import type { Autonomy } from '../../bridge/chat';
import { i18n } from '../../language/i18n';
import { keyed } from '../../ui/keys/keyed';
import { useKeys } from '../../ui/keys/useKeys';
import classes from './Chat.module.css';

const choices: readonly { value: Autonomy; label: string }[] = [
  { value: 'look', label: i18n._('Only looks things up') },
  { value: 'ask', label: i18n._('Asks first') },
  { value: 'grants', label: i18n._('Within my grants') },
];

interface AutonomySelectProps {
  open: boolean;
  running: boolean;
  value: Autonomy;
  onChange: (next: Autonomy) => void;
}

/** How far the assistant goes by itself in this conversation. Only a person changes it. */
export function AutonomySelect({ open, running, value, onChange }: AutonomySelectProps) {
  const id = useId();
  const select = useRef<HTMLSelectElement>(null);
  const does = i18n._('How far the assistant goes by itself');
  useKeys(open ? { 'Alt+A': { does, act: () => select.current?.focus() } } : {});
  return (
    <div className={classes.autonomy}>
      <Text component="label" htmlFor={id} size="xs" c="dimmed">
        {i18n._('How far it goes')}
      </Text>
      <NativeSelect
        ref={select}
        id={id}
        size="xs"
        {...keyed('Alt+A')}
        data={[...choices]}
        value={value}
        disabled={running}
        onChange={(event) => onChange(event.currentTarget.value as Autonomy)}
      />
    </div>
  );
}
