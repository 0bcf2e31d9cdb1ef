import { Radio, Stack } from '@mantine/core';
import type { Request } from '../../bridge/capabilities';
import { enumOf, numbersOf } from '../../bridge/schema';
import { i18n, languages } from '../../language/i18n';
import { useInvoke } from '../../queries/useInvoke';
import { useEntry, useRefusal } from '../../queries/useManifest';
import { Select } from '../../ui/form/Select';
import { Problem } from '../../ui/page/Note';
import { Part } from '../../ui/page/Page';

type Theme = Request<'theme.set'>['theme'];
type TextSize = Request<'textSize.set'>['size'];
type Density = Request<'density.set'>['density'];

const themes: Record<Theme, string> = {
  light: i18n._('Light'),
  dark: i18n._('Dark'),
  system: i18n._('As the computer does'),
  contrast: i18n._('High contrast'),
};

const notifications: Record<Request<'notifications.set'>['notifications'], string> = {
  on: i18n._('Of a question that waits while I work in another window'),
  off: i18n._('None: the title of the window has the number of questions'),
};

const densities: Record<Density, string> = {
  compact: i18n._('Compact'),
  comfortable: i18n._('Comfortable'),
  touch: i18n._('Touch: large enough for fingers'),
  system: i18n._('As the computer does'),
};

/** How the window looks and what it speaks, for the person signed in. */
export function Appearance() {
  const setTheme = useInvoke('theme.set', { source: 'Appearance' });
  const setDensity = useInvoke('density.set', { source: 'Appearance' });
  const setNotifications = useInvoke('notifications.set', { source: 'Appearance' });
  const setLanguage = useInvoke('language.set', { source: 'Appearance' });
  return (
    <>
      <Choice
        title={i18n._('Theme')}
        of="theme.set"
        words={themes}
        error={setTheme.error}
        onChoose={(theme) => setTheme.mutate({ theme })}
      />
      <TextSizeChoice />
      <Choice
        title={i18n._('Density')}
        of="density.set"
        words={densities}
        error={setDensity.error}
        onChoose={(density) => setDensity.mutate({ density })}
      />
      <Choice
        title={i18n._('Language')}
        of="language.set"
        words={languages()}
        error={setLanguage.error}
        onChoose={(language) => setLanguage.mutate({ language })}
      />
      <Choice
        title={i18n._('Desktop notifications')}
        of="notifications.set"
        words={notifications}
        error={setNotifications.error}
        onChoose={(notifications) => setNotifications.mutate({ notifications })}
      />
    </>
  );
}

/** How large the text is. */
function TextSizeChoice() {
  const entry = useEntry('textSize.set');
  const refused = useRefusal('textSize.set');
  const { mutate, error } = useInvoke('textSize.set', { source: 'Appearance' });
  return (
    <Part title={i18n._('Text size')}>
      {error && <Problem message={error.message} hint={error.recoveryHint} />}
      <Select
        w={220}
        label={i18n._('Everything grows with the text')}
        description={refused ?? i18n._('Also by Ctrl + and Ctrl −; Ctrl 0 is the usual size.')}
        data={numbersOf(entry?.input_schema, 'size').map((size) => ({ value: String(size), label: `${size} %` }))}
        value={typeof entry?.current === 'number' ? String(entry.current) : null}
        disabled={refused !== undefined}
        allowDeselect={false}
        onChange={(size) => size && mutate({ size: Number(size) as TextSize })}
      />
    </Part>
  );
}

interface ChoiceProps<T extends string> {
  title: string;
  of: 'theme.set' | 'density.set' | 'language.set' | 'notifications.set';
  words: Record<T, string>;
  error: ReturnType<typeof useInvoke>['error'];
  onChoose: (choice: T) => void;
}

/** One of few, as the application holds it. */
function Choice<T extends string>({ title, of, words, error, onChoose }: ChoiceProps<T>) {
  const entry = useEntry(of);
  const refused = useRefusal(of);
  const choices = enumOf<T>(entry?.input_schema, of.slice(0, of.indexOf('.')));
  return (
    <Part title={title}>
      {error && <Problem message={error.message} hint={error.recoveryHint} />}
      <Radio.Group
        label={title}
        labelProps={{ style: { display: 'none' } }} // the part has the same words as its heading
        description={refused ?? i18n._('Yours alone: others at this desk have their own.')}
        value={typeof entry?.current === 'string' ? entry.current : null}
        onChange={(choice) => onChoose(choice as T)}
      >
        <Stack gap={8} mt={8}>
          {choices.map((choice) => (
            <Radio key={choice} size="xs" value={choice} label={words[choice]} disabled={refused !== undefined} />
          ))}
        </Stack>
      </Radio.Group>
    </Part>
  );
}
