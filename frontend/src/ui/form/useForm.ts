import { useEffect } from 'react';
import { useLasting } from '../window/useKept';

/** The values of a form, and the function that changes some of them. */
interface Form<T> {
  values: T;
  /** The fields that differ from the known ones, texts without the blanks around them. */
  changes: Partial<T>;
  change: (part: Partial<T>) => void;
}

/**
 * Holds the values of a form over the known ones. A field that was typed into keeps its text, every other one follows
 * the known value, so that saving puts none back. A field that equals the known value follows again. Values are stored
 * under the key and outlive a reload of the page; without a key, for secrets, they are not stored.
 */
export function useForm<T extends object>(key: string | undefined, known: T): Form<T> {
  const [typed, setTyped] = useLasting<Partial<T>>(key, {});
  const values = { ...known, ...typed };
  const change = (part: Partial<T>) => {
    const fields = Object.entries(part).filter(([name, value]) => !Object.is(value, values[name as keyof T]));
    setTyped((now) => differing({ ...now, ...(Object.fromEntries(fields) as Partial<T>) }, known, isSame));
  };
  const changes = Object.entries(differing(typed, known, isSaved)).map(([name, value]) => [name, trimmed(value)]);
  const same = JSON.stringify(known);
  useEffect(() => {
    setTyped((now) => differing(now, JSON.parse(same), isSaved));
  }, [same, setTyped]);
  return { values, changes: Object.fromEntries(changes) as Partial<T>, change };
}

/** The fields that are not as they are known. */
function differing<T extends object>(typed: Partial<T>, known: T, isAsKnown: (a: unknown, b: unknown) => boolean) {
  const fields = Object.entries(typed).filter(([name, value]) => !isAsKnown(value, known[name as keyof T]));
  return (fields.length === Object.keys(typed).length ? typed : Object.fromEntries(fields)) as Partial<T>;
}

const isSame = (typed: unknown, known: unknown) => JSON.stringify(typed) === JSON.stringify(known);

/** Reports whether a value is saved as it was typed, without the blanks around it. */
function isSaved(typed: unknown, known: unknown): boolean {
  return JSON.stringify(trimmed(typed)) === JSON.stringify(trimmed(known));
}

const trimmed = (value: unknown) => (typeof value === 'string' ? value.trim() : value);
