import { useEffect, useRef } from 'react';
import type { Offer } from './search';

/** What a search in view is told of scans. */
interface ScanHandlers {
  /** A code of no variant, and what its words find. */
  onUnclear: (code: string, offers: readonly Offer[], more: boolean) => void;
  /** Something was put into the cart, in words; the number of pieces that was typed before it is used up. */
  onAdded: (text: string, counted: boolean) => void;
}

const searches = new Set<() => ScanHandlers>();

/** Hears of scans while its component is in view. */
export function useScanned(told: ScanHandlers): void {
  const latest = useRef(told);
  useEffect(() => {
    latest.current = told;
  });
  useEffect(() => {
    const one = () => latest.current;
    searches.add(one);
    return () => {
      searches.delete(one);
    };
  }, []);
}

/** The search in view, if there is one. */
export const searchInView = (): ScanHandlers | undefined => [...searches].at(-1)?.();
