import { createContext, useCallback, useContext, useEffect, useInsertionEffect, useState } from 'react';

/** The forms of a page that the person has begun. */
export type Forms = Set<object>;

/** The forms of the page around a component. A page with a form that was begun is hidden when it is left, and not removed. */
export const FormsOfPage = createContext<Forms>(new Set());

/** Says whether the person has begun something here that must not get lost with its page. */
export function useBegun(begun: boolean): void {
  const forms = useContext(FormsOfPage);
  const [form] = useState({});
  useEffect(() => {
    if (begun) forms.add(form);
    else forms.delete(form);
  }, [forms, form, begun]);
  useUnmount(useCallback(() => forms.delete(form), [forms, form]));
}

/**
 * Calls a function when the component is removed, or has another function. Other effects end when a page is hidden, too.
 */
export function useUnmount(removed: () => void): void {
  useInsertionEffect(() => () => queueMicrotask(removed), [removed]); // it must not change a state itself
}
