import { useEffect, useRef, useState } from 'react';

/**
 * The text of a search as it is asked for, and the function to call with typed text:
 * it asks at once for a letter or a whole text, and every 80 ms at most while more
 * letters come, the last in any case. For searches that answer sooner than that.
 */
export function useTyped(text: string, setText: (text: string) => void, every = 80) {
  const [typed, setTyped] = useState({ text, asked: text.trim() });
  const free = useRef(0);
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(waiting.current), []);

  const type = (next: string) => {
    setText(next);
    setTyped(({ asked }) => ({ text: next, asked }));
    clearTimeout(waiting.current);
    const go = () => {
      free.current = performance.now() + every;
      setTyped({ text: next, asked: next.trim() });
    };
    const wait = free.current - performance.now();
    if (wait > 0) waiting.current = setTimeout(go, wait);
    else go();
  };
  // A text that nobody typed, such as that of a saved view, is asked for at once, and an empty one for nothing.
  const asked = text === typed.text ? typed.asked : text.trim();
  return [text === '' ? '' : asked, type] as const;
}
