import { useMantineColorScheme } from '@mantine/core';
import { useEffect } from 'react';
import type { Json } from '../../bridge/wire';
import { useEntry } from '../../queries/useManifest';

/** The colour scheme of a theme, and whether it has high contrast. */
export function schemeOf(current: Json): { scheme: 'light' | 'dark' | 'auto'; contrast: boolean } {
  const theme = typeof current === 'object' && current && 'theme' in current ? current.theme : current;
  return { scheme: theme === 'light' || theme === 'dark' ? theme : 'auto', contrast: theme === 'contrast' };
}

/** Follows the theme that the application holds; while no one is signed in it stays as it was. */
export function useThemeOfApplication(): void {
  const current = useEntry('theme.set')?.current;
  const { setColorScheme } = useMantineColorScheme();
  useEffect(() => {
    if (current === undefined) return;
    const { scheme, contrast } = schemeOf(current);
    setColorScheme(scheme);
    document.documentElement.toggleAttribute('data-contrast', contrast);
  }, [current, setColorScheme]);
}
