import { useEffect } from 'react';
import { isChoice, keepChoice } from '../../language/i18n';
import { useEntry } from '../../queries/useManifest';

/** Follows the language the application holds: another one is spoken by the window opened anew, at the same place. */
export function useLanguageOfApplication(): void {
  const current = useEntry('language.set')?.current;
  useEffect(() => {
    if (isChoice(current) && keepChoice(current)) location.reload();
  }, [current]);
}
