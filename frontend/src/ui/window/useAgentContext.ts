import { useEffect, useRef } from 'react';

/** What a page or a form tells of itself: names and ids, never what stands in it. */
export interface AgentContext {
  /** The page, or the capability that a form is for. */
  step: string;
  /** The records that are shown. */
  ids?: string[];
  /** JSON pointers of the arguments that are refused, and of those without a value. */
  wrong?: string[];
  empty?: string[];
}

type Tell = () => AgentContext | undefined;

const open = new Set<Tell>();

/** Tells what is open here: whenever it is asked for, and only while this is shown. */
export function useAgentContext(tell: Tell): void {
  const latest = useRef(tell);
  useEffect(() => {
    latest.current = tell;
  });
  useEffect(() => {
    const one = () => latest.current();
    open.add(one);
    return () => {
      open.delete(one);
    };
  }, []);
}

/** What is open in the window now. */
export const openPages = (): AgentContext[] => [...open].flatMap((tell) => tell() ?? []);
