import { useSyncExternalStore } from 'react';
import { store, stored } from '../window/stored';

/** How close together things stand. */
export type Density = 'compact' | 'comfortable' | 'touch';

/** Pixels at 100 %, in which what can be pressed is at least as high; it is `--dh-target` in global.css. */
const targets: Record<Density, number> = { compact: 0, comfortable: 36, touch: 44 };

/** The sizes of the text in percent, as they follow each other. */
export const textSizes = [80, 90, 100, 110, 125, 150, 175, 200] as const;

/** The storage key of the text size, read by public/opening.js before anyone signs in. */
const KEPT = 'deskhand-text-size';

interface Sizes {
  /** 1 at 100 %. */
  scale: number;
  /** Pixels that a row is high at least. */
  target: number;
}

let sizes: Sizes = { scale: keptTextSize() / 100, target: 0 };
const listeners = new Set<() => void>();

function change(next: Partial<Sizes>): void {
  sizes = { ...sizes, ...next };
  for (const listener of listeners) listener();
}

/** The text size when the window was last open, in percent. */
export function keptTextSize(): number {
  return Number(stored('localStorage', KEPT)) || 100;
}

/** Sets the text size in percent, and with it the size of everything that is measured in rem. */
export function setTextSize(percent: number): void {
  store('localStorage', KEPT, percent);
  document.documentElement.style.fontSize = `${percent}%`;
  change({ scale: percent / 100 });
}

/** Sets the density. */
export function setDensity(density: Density): void {
  document.documentElement.dataset.density = density;
  change({ target: targets[density] });
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The sizes for what is measured in pixels. */
export function useSizes(): Sizes {
  return useSyncExternalStore(subscribe, () => sizes);
}

/** The height in pixels of a row that is `height` high at 100 % in the compact density. */
export function useRowHeight(height: number): number {
  const { scale, target } = useSizes();
  return Math.round(Math.max(height, target) * scale);
}
