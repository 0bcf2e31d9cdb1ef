import { elementScroll, type Virtualizer } from '@tanstack/react-virtual';
import { useState } from 'react';

type List = Virtualizer<HTMLDivElement, Element>;
type Scroll = Parameters<typeof elementScroll<HTMLDivElement>>;

/**
 * Measures and scrolls a list without reading its layout: a read would lay the page out
 * at once, and again for the frame. Until the browser tells, a
 * list draws as many rows as the window holds, and a place it is put to waits.
 */
export function useListRoom() {
  const [room] = useState(listRoom);
  return room;
}

function listRoom() {
  let told = false;
  let waiting: Scroll | undefined;
  return {
    initialRect: { width: 0, height: window.innerHeight },
    observeElementRect: (list: List, tell: (room: { width: number; height: number }) => void) => {
      const element = list.scrollElement;
      if (!element) return;
      const observer = new ResizeObserver(([entry]) => {
        if (!entry) return;
        told = true;
        if (waiting) elementScroll(...waiting);
        waiting = undefined;
        const { width, height } = entry.contentRect;
        tell({ width: Math.round(width), height: Math.round(height) });
      });
      observer.observe(element);
      return () => {
        told = false;
        observer.disconnect();
      };
    },
    scrollToFn: (...scroll: Scroll) => {
      if (told) elementScroll(...scroll);
      else waiting = scroll;
    },
  };
}
