import { Select } from '@mantine/core';
import { useState } from 'react';
import { useCapability, useInvoke } from '../../bus/hooks';
import { Loading } from '../../ui/Loading';
import { type SaveSettings, SectionForm } from './SectionForm';

const choices = [0, 1, 2, 5, 10, 15, 30, 60];

/** After how long without a touch the window locks, for those who have a PIN. */
export function AutoLock() {
  const save = useInvoke('settings.set', { source: 'Settings' });
  const { data } = useCapability('settings.get', { section: 'security' }, { source: 'Settings' });
  if (!data?.security) return <Loading label="Reading the settings" />;
  const { lockAfterMinutes } = data.security;
  return <AutoLockForm save={save} key={lockAfterMinutes} known={lockAfterMinutes} />;
}

function AutoLockForm({ known, save }: { known: number; save: SaveSettings }) {
  const [minutes, setMinutes] = useState(known);
  const offered = choices.includes(known) ? choices : [...choices, known].sort((a, b) => a - b);
  return (
    <SectionForm
      title="Lock the window by itself"
      disabledReason={minutes === known ? 'Nothing is changed yet.' : undefined}
      save={save}
      onSave={() => save.mutate({ section: 'security', values: { lockAfterMinutes: minutes } })}
    >
      <Select
        label="When nobody touches it for"
        description="For people who have a PIN. Carts and what was begun stay as they are."
        allowDeselect={false}
        data={offered.map((value) => ({ value: String(value), label: lockText(value) }))}
        value={String(minutes)}
        onChange={(value) => value !== null && setMinutes(Number(value))}
      />
    </SectionForm>
  );
}

function lockText(minutes: number): string {
  if (minutes === 0) return 'Never';
  return minutes === 1 ? '1 minute' : `${minutes} minutes`;
}
