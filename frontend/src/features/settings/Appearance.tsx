import { Radio, Stack, VisuallyHidden } from '@mantine/core';
import { useInvoke } from '../../asking/useInvoke';
import { useEntry, useRefusal } from '../../asking/useManifest';
import type { Request } from '../../door/capabilities';
import { enumOf } from '../../door/schema';
import { i18n } from '../../language/i18n';
import { Problem } from '../../ui/page/Note';
import { Part } from '../../ui/page/Page';

type Theme = Request<'theme.set'>['theme'];
type Language = Request<'language.set'>['language'];

const themes: Record<Theme, string> = {
  light: i18n._('Light'),
  dark: i18n._('Dark'),
  system: i18n._('As the computer does'),
  contrast: i18n._('High contrast'),
};

/* A language is written in itself: a person who looks for it may not read the others. */
const languages: Record<Language, string> = {
  system: i18n._('As the computer does'),
  en: 'English',
  de: 'Deutsch',
};

/** How the window looks and what it speaks, for the person signed in. */
export function Appearance() {
  const setTheme = useInvoke('theme.set', { source: 'Appearance' });
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
      <Choice
        title={i18n._('Language')}
        of="language.set"
        words={languages}
        error={setLanguage.error}
        onChoose={(language) => setLanguage.mutate({ language })}
      />
    </>
  );
}

interface ChoiceProps<T extends string> {
  title: string;
  of: 'theme.set' | 'language.set';
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
        label={<VisuallyHidden>{title}</VisuallyHidden>}
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
