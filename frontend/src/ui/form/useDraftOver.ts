import { useEffect } from 'react';
import { useLasting } from '../window/useKept';

/**
 * A draft over what is known: a field that was typed into keeps what was typed, every other one follows what becomes
 * known meanwhile, and so is not put back by saving the draft. A field that has become what is known follows again.
 */
export function useDraftOver<T extends object>(key: string, known: T): [draft: T, change: (draft: T) => void] {
  const [typed, setTyped] = useLasting<Partial<T>>(key, {});
  const draft = { ...known, ...typed };
  const change = (next: T) => {
    const fields = Object.entries(next).filter(([name, value]) => !Object.is(value, draft[name as keyof T]));
    setTyped((now) => differing({ ...now, ...(Object.fromEntries(fields) as Partial<T>) }, known, Object.is));
  };
  const same = JSON.stringify(known);
  useEffect(() => {
    setTyped((now) => differing(now, JSON.parse(same), isSaved));
  }, [same, setTyped]);
  return [draft, change];
}

/** The fields that are not as they are known. */
function differing<T extends object>(typed: Partial<T>, known: T, isSame: (a: unknown, b: unknown) => boolean) {
  const fields = Object.entries(typed).filter(([name, value]) => !isSame(value, known[name as keyof T]));
  return (fields.length === Object.keys(typed).length ? typed : Object.fromEntries(fields)) as Partial<T>;
}

/** Reports whether a value is saved as it was typed, without the blanks around it. */
function isSaved(typed: unknown, known: unknown): boolean {
  const text = (value: unknown) => (typeof value === 'string' ? value.trim() : JSON.stringify(value));
  return text(typed) === text(known);
}
