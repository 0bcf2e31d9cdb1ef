import { useEffect, useRef, useState } from 'react';

/**
 * What is in a search, as it is asked for, and what to call with what is typed:
 * asked at once when a letter comes or a whole text, and while more keep coming
 * every 80 ms at most, the last in any case. It is for what answers sooner than that.
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
  // An empty field asks for nothing, whoever emptied it.
  return [text === '' ? '' : asked, type] as const;
}
