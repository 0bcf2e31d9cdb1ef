import { useMediaQuery } from '@mantine/hooks';
import { useEffect } from 'react';
import type { Request } from '../../bridge/capabilities';
import { i18n } from '../../language/i18n';
import { useInvoke } from '../../queries/useInvoke';
import { useEntry } from '../../queries/useManifest';
import { useKeys } from '../../ui/keys/useKeys';
import { type Density, setDensity, setTextSize, textSizes, useSizes } from '../../ui/theme/sizes';

type TextSize = Request<'textSize.set'>['size'];

/** The size that a key leads to: the next larger or smaller one, or the usual one. */
export function sizeAfter(key: string, now: number): TextSize | undefined {
  if (key === '+' || key === '=') return textSizes.find((size) => size > now);
  if (key === '-') return textSizes.findLast((size) => size < now);
  return key === '0' ? 100 : undefined;
}

/** The density for a choice: fingers need room. */
export function densityFor(choice: unknown, coarse: boolean): Density {
  if (choice === 'comfortable' || choice === 'touch' || choice === 'compact') return choice;
  return coarse ? 'touch' : 'compact';
}

/** Follows the text size and the density that the application holds; while no one is signed in they stay as they were. */
export function useSizesOfApplication(): void {
  const size = useEntry('textSize.set')?.current;
  useEffect(() => {
    if (typeof size === 'number') setTextSize(size);
  }, [size]);
  const density = useEntry('density.set')?.current;
  const coarse = useMediaQuery('(pointer: coarse)') ?? false;
  useEffect(() => setDensity(densityFor(density, coarse)), [density, coarse]);
}

/** Ctrl +, Ctrl − and Ctrl 0 change the text size, also of a window that nobody has signed in to. */
export function useTextSizeKeys(): void {
  const { scale } = useSizes();
  const mayKeep = useEntry('textSize.set')?.available ?? false;
  const { mutate } = useInvoke('textSize.set', { source: 'Shortcut' });
  const press = ({ key }: KeyboardEvent) => {
    const size = sizeAfter(key, Math.round(scale * 100));
    if (size === undefined) return;
    setTextSize(size);
    if (mayKeep) mutate({ size });
  };
  useKeys({
    'Ctrl++': { does: i18n._('Larger text'), act: press, always: true },
    'Ctrl+=': { act: press, always: true },
    'Ctrl+-': { does: i18n._('Smaller text'), act: press, always: true },
    'Ctrl+0': { does: i18n._('The usual text size'), act: press, always: true },
  });
}
