import { useMantineColorScheme } from '@mantine/core';
import { useEffect } from 'react';
import { useEntry } from '../../bus/hooks';
import type { Json } from '../../bus/wire';

/** The colour scheme a theme asks for. */
export function schemeOf(current: Json | undefined): 'light' | 'dark' | 'auto' {
  const theme = typeof current === 'object' && current && 'theme' in current ? current.theme : current;
  return theme === 'light' || theme === 'dark' ? theme : 'auto';
}

/** Follows the theme the application holds. */
export function useThemeOfApplication(): void {
  const current = useEntry('theme.set')?.current;
  const { setColorScheme } = useMantineColorScheme();
  useEffect(() => setColorScheme(schemeOf(current)), [current, setColorScheme]);
}
