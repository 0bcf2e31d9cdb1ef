import { Button, Input } from '@mantine/core';
import type { WidgetProps } from '@rjsf/utils';
import { useState } from 'react';
import { useClient } from '../../bus/BusProvider';

/** A field for a file: the application's own picker gives a token, never a path. */
export function PickedFileWidget({ id, label, required, onChange, rawErrors }: WidgetProps) {
  const client = useClient();
  const [name, setName] = useState<string>();
  const pick = async () => {
    const picked = await client.pickFile('csv');
    if (!picked.file) return;
    setName(picked.name);
    onChange(picked.file);
  };
  return (
    <Input.Wrapper label={label} withAsterisk={required} error={rawErrors?.join('; ')} id={id}>
      <div>
        <Button id={id} variant="default" onClick={pick}>
          {name ?? 'Choose a file'}
        </Button>
      </div>
    </Input.Wrapper>
  );
}
