import { Tooltip } from '@mantine/core';
import { type SyntheticEvent, useEffect, useRef, useState } from 'react';
import { watchKeys } from '../keys/registry';

/** The time of hovering before the hint appears (ms). */
const REST = 300;

/**
 * Words beside a control that is pointed at for a while, or reached by keys: `pointed`
 * goes to the control, `hint` beside it. There is nothing of it before; a page has
 * dozens, and Mantine's own are a fifth of the work of drawing one.
 */
export function useHint(words: string | undefined) {
  const [target, setTarget] = useState<HTMLElement | null>(null);
  const [opened, setOpened] = useState(false);
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined);

  const close = () => {
    clearTimeout(waiting.current);
    setOpened(false);
  };
  const open = (event: SyntheticEvent<HTMLElement>, after: number) => {
    if (!words) return;
    setTarget(event.currentTarget);
    clearTimeout(waiting.current);
    waiting.current = setTimeout(() => setOpened(true), after);
  };
  if (opened && !words) setOpened(false); // later words need a new hover
  useEffect(() => {
    if (opened) return watchKeys(({ key }) => void (key === 'Escape' && setOpened(false)));
  }, [opened]);
  useEffect(
    () => () => {
      clearTimeout(waiting.current);
      setOpened(false); // a hidden page keeps its state
    },
    [],
  );

  return {
    pointed: {
      onMouseEnter: (event: SyntheticEvent<HTMLElement>) => open(event, REST),
      onMouseLeave: close,
      onFocus: (event: SyntheticEvent<HTMLElement>) => event.currentTarget.matches(':focus-visible') && open(event, 0),
      onBlur: close,
    },
    hint: target && words && <Tooltip target={target} opened={opened} label={words} multiline maw={280} />,
  };
}
