import { useEffect, useRef, useState } from 'react';

/**
 * The text of a search as it is asked for, and the function to call with typed text:
 * it asks at once for a letter or a whole text, and every 80 ms at most while more
 * letters come, the last in any case. For searches that answer sooner than that.
 */
export function useTyped(text: string, setText: (text: string) => void, every = 80) {
  const [asked, ask] = useState(text.trim());
  const free = useRef(0);
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(waiting.current), []);

  const type = (next: string) => {
    setText(next);
    clearTimeout(waiting.current);
    const go = () => {
      free.current = performance.now() + every;
      ask(next.trim());
    };
    const wait = free.current - performance.now();
    if (wait > 0) waiting.current = setTimeout(go, wait);
    else go();
  };
  // An empty field asks for nothing, however it was emptied.
  return [text === '' ? '' : asked, type] as const;
}
