import { useEffect, useRef, useState } from 'react';

/** Listens to drops anywhere on the window, and reports whether a file is held over it. */
export function useFileDrop(onDrop: (dropped: DataTransfer) => void): boolean {
  const latest = useRef(onDrop);
  useEffect(() => {
    latest.current = onDrop;
  });
  const [over, setOver] = useState(false);
  useEffect(() => {
    let inside = 0; // elements that were entered and not left: a child is entered before its parent is left
    const count = (now: number) => {
      inside = Math.max(0, now);
      setOver(inside > 0);
    };
    const enter = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') && count(inside + 1);
    const leave = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') && count(inside - 1);
    const gone = () => inside > 0 && count(0); // a pointer that moves freely holds nothing
    const drop = ({ dataTransfer }: DragEvent) => {
      count(0);
      if (dataTransfer) latest.current(dataTransfer);
    };
    const heard = { dragenter: enter, dragleave: leave, drop, pointermove: gone };
    const entries = Object.entries(heard) as [string, EventListener][];
    for (const [name, listener] of entries) window.addEventListener(name, listener);
    return () => {
      for (const [name, listener] of entries) window.removeEventListener(name, listener);
    };
  }, []);
  return over;
}
