import { useDebouncedValue } from '@mantine/hooks';

/**
 * What is in a search, as it is asked for: at once when the first letter or the
 * whole text comes, such as pasted, and after that when the typing pauses.
 */
export function useTyped(text: string, pause = 150): string {
  const [typed] = useDebouncedValue(text.trim(), pause, { leading: true });
  return typed;
}
