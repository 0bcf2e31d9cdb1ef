import { type RefCallback, useCallback, useLayoutEffect, useRef } from 'react';

const NEAR = 40;

/**
 * The ref of an element that scrolls: keeps its end in view while content or space changes,
 * unless the person has scrolled away from it. An element that comes anew begins at its end.
 */
export function useStickToBottom(content: unknown): RefCallback<HTMLElement> {
  const scroller = useRef<HTMLElement>(null);
  const atEnd = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: new content is the reason to look again
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element && atEnd.current) element.scrollTop = element.scrollHeight;
  }, [content]);
  return useCallback((element) => {
    if (!element) return;
    scroller.current = element;
    atEnd.current = true;
    element.scrollTop = element.scrollHeight;
    const onScroll = () => {
      atEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR;
    };
    element.addEventListener('scroll', onScroll, { passive: true });
    const resized = new ResizeObserver(() => {
      if (atEnd.current) element.scrollTop = element.scrollHeight;
    });
    resized.observe(element);
    return () => {
      scroller.current = null;
      element.removeEventListener('scroll', onScroll);
      resized.disconnect();
    };
  }, []);
}
