import { createContext, useCallback, useContext, useEffect, useInsertionEffect, useState } from 'react';

/** The forms of a page or of a part of it that the person has begun. */
export type Forms = Set<object>;

/** The parts around a component, each with its forms: one with a form that was begun is hidden when it is left. */
export const FormsAround = createContext<readonly Forms[]>([]);

/** Says whether the person has begun something here that must not get lost with its page. */
export function useBegun(begun: boolean): void {
  const around = useContext(FormsAround);
  const [form] = useState({});
  const ended = useCallback(() => {
    for (const forms of around) forms.delete(form);
  }, [around, form]);
  useEffect(() => {
    if (begun) for (const forms of around) forms.add(form);
    else ended();
  }, [around, form, begun, ended]);
  useUnmount(ended);
}

/**
 * Calls a function when the component is removed, or has another function. Other effects end when a page is hidden, too.
 */
export function useUnmount(removed: () => void): void {
  useInsertionEffect(() => () => queueMicrotask(removed), [removed]); // it must not change a state itself
}
