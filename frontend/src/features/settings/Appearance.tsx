import { Radio, Stack } from '@mantine/core';
import type { Request } from '../../bus/client';
import { useEntry, useInvoke, useRefusal } from '../../bus/hooks';
import { enumOf } from '../../bus/schema';
import { Problem } from '../../ui/Note';
import { Part } from '../../ui/Page';

type Theme = Request<'theme.set'>['theme'];

const words: Record<Theme, string> = {
  light: 'Light',
  dark: 'Dark',
  system: 'As the computer does',
  contrast: 'High contrast',
};

/** How the window looks, for the person signed in. */
export function Appearance() {
  const entry = useEntry('theme.set');
  const refused = useRefusal('theme.set');
  const { mutate, error } = useInvoke('theme.set', { source: 'Appearance' });
  const themes = enumOf<Theme>(entry?.input_schema, 'theme');
  return (
    <Part title="Theme">
      {error && <Problem message={error.message} hint={error.recoveryHint} />}
      <Radio.Group
        aria-label="Theme"
        description={refused ?? 'Yours alone: others at this desk have their own.'}
        value={typeof entry?.current === 'string' ? entry.current : null}
        onChange={(theme) => mutate({ theme: theme as Theme })}
      >
        <Stack gap={8} mt={8}>
          {themes.map((theme) => (
            <Radio key={theme} size="xs" value={theme} label={words[theme]} disabled={refused !== undefined} />
          ))}
        </Stack>
      </Radio.Group>
    </Part>
  );
}
