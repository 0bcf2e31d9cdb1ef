import { useLasting } from '../window/useKept';

/**
 * A draft over what is known: a field that was typed into keeps what was typed, every other one follows what becomes
 * known meanwhile, and so is not put back by saving the draft.
 */
export function useDraftOver<T extends object>(key: string, known: T): [draft: T, change: (draft: T) => void] {
  const [typed, setTyped] = useLasting<Partial<T>>(key, {});
  const draft = { ...known, ...typed };
  const change = (next: T) => {
    const fields = Object.entries(next).filter(([name, value]) => !Object.is(value, draft[name as keyof T]));
    setTyped((now) => ({ ...now, ...(Object.fromEntries(fields) as Partial<T>) }));
  };
  return [draft, change];
}
