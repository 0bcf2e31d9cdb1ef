import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';

const NEAR = 40;

/** Keeps the end in view while content or space changes, unless the person has scrolled away from it. */
export function useStickToBottom(scroller: RefObject<HTMLElement | null>, content: unknown): void {
  const atEnd = useRef(true);
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const onScroll = () => {
      atEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR;
    };
    element.addEventListener('scroll', onScroll, { passive: true });
    const resized = new ResizeObserver(() => {
      if (atEnd.current) element.scrollTop = element.scrollHeight;
    });
    resized.observe(element);
    return () => {
      element.removeEventListener('scroll', onScroll);
      resized.disconnect();
    };
  }, [scroller]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: new content is the reason to look again
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element && atEnd.current) element.scrollTop = element.scrollHeight;
  }, [scroller, content]);
}
