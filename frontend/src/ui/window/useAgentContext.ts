import { useEffect, useMemo, useRef, useSyncExternalStore } from 'react';

/** What a page or a form tells of itself: names and ids, never what stands in it. */
export interface AgentContext {
  /** The page, or the capability that a form is for. */
  step: string;
  /** The records that are shown, or under the cursor of a list. */
  ids?: string[];
  /** JSON pointers of the arguments that are refused, and of those without a value. */
  wrong?: string[];
  empty?: string[];
}

type Tell = () => AgentContext | undefined;

const open = new Set<Tell>();
const listeners = new Set<() => void>();
const changed = () => {
  for (const listener of listeners) listener();
};

/** Tells what is open here: whenever it is asked for, and only while this is shown. */
export function useAgentContext(tell: Tell): void {
  const latest = useRef(tell);
  useEffect(() => {
    latest.current = tell;
    changed();
  });
  useEffect(() => {
    const one = () => latest.current();
    open.add(one);
    changed();
    return () => {
      open.delete(one);
      changed();
    };
  }, []);
}

/** What is open in the window now: what several parts tell of one step is one. */
export function openPages(): AgentContext[] {
  const steps = new Map<string, AgentContext>();
  for (const told of [...open].flatMap((tell) => tell() ?? [])) {
    const before = steps.get(told.step);
    const ids = [...new Set([...(told.ids ?? []), ...(before?.ids ?? [])])];
    steps.set(told.step, { ...before, ...told, ...(before?.ids || told.ids ? { ids } : {}) });
  }
  return [...steps.values()];
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** A record that is shown at a step. */
export interface OpenId {
  step: string;
  id: string;
}

/** The records that are shown in the window, each once at a step, as they change. */
export function useOpenIds(): readonly OpenId[] {
  const all = useSyncExternalStore(subscribe, () =>
    JSON.stringify(openPages().flatMap(({ step, ids = [] }) => ids.filter(Boolean).map((id) => ({ step, id })))),
  );
  return useMemo(() => JSON.parse(all), [all]);
}
