import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';

const NEAR = 40;

/** Keeps the end in view while it grows, unless the person has scrolled away from it. */
export function useStickToBottom(scroller: RefObject<HTMLElement | null>, content: unknown): void {
  const atEnd = useRef(true);
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const onScroll = () => {
      atEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR;
    };
    element.addEventListener('scroll', onScroll, { passive: true });
    return () => element.removeEventListener('scroll', onScroll);
  }, [scroller]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: new content is the reason to look again
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element && atEnd.current) element.scrollTop = element.scrollHeight;
  }, [scroller, content]);
}
