import {
  cloneElement,
  createContext,
  type ReactElement,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useRef,
  useState,
} from 'react';
import { alone } from '../../language/format';
import { Problem } from '../page/Note';
import { useAgentContext } from '../window/useAgentContext';

/** One error: its place, the error, and a sentence that names both. */
interface FieldError {
  /** A JSON pointer. */
  path: string;
  words: string;
  sentence: string;
}

/** A refusal, as a form tells it. */
export interface Refused {
  message: string;
  recoveryHint?: string;
  fieldErrors?: readonly FieldError[];
}

/** What a form calls, and what came of it. */
export interface Call {
  capability: string;
  isPending: boolean;
  error: Refused | null;
  /** The greatest number of characters at a JSON pointer, as the capability declares it. */
  maxLengthAt?: (pointer: string) => number | undefined;
}

interface Place {
  /** The errors at a pointer, or within. */
  wordsAt: (pointer: string) => string | undefined;
  maxLengthAt?: (pointer: string) => number | undefined;
  /** A field stands for a pointer, until what is returned is called. */
  claim: (pointer: string) => () => void;
}

const Places = createContext<Place | undefined>(undefined);

interface FieldErrorsProps {
  call: Pick<Call, 'capability' | 'error' | 'maxLengthAt'>;
  /** The fields. */
  children: ReactNode;
}

/** The fields of a form, each with its errors; errors without a field stand below. It tells which are wrong. */
export function FieldErrors({ call: { capability, error, maxLengthAt }, children }: FieldErrorsProps) {
  const [claimed, setClaimed] = useState<readonly string[]>([]);
  const claim = useCallback((pointer: string) => {
    setClaimed((now) => [...now, pointer]);
    return () => setClaimed((now) => now.toSpliced(now.indexOf(pointer), 1));
  }, []);
  const fields = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (error) fields.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [error]);

  const { fieldErrors = [], message, recoveryHint } = error ?? {};
  useAgentContext(() => ({
    step: capability,
    wrong: [...fieldErrors.map(({ path }) => path), ...pointersOf(fields.current, isWrong)],
    empty: pointersOf(fields.current, isEmpty),
  }));
  const elsewhere = fieldErrors.filter(({ path }) => !claimed.some((pointer) => isWithin(path, pointer)));
  const only = fieldErrors.length === 1 ? recoveryHint : undefined; // what mends it stands with it
  const wordsAt = (pointer: string) => {
    const wrong = fieldErrors.filter(({ path }) => isWithin(path, pointer)).map(({ words }) => alone(words));
    return wrong.length > 0 ? [...wrong, only].filter(Boolean).join(' ') : undefined;
  };
  const whole = elsewhere.length === fieldErrors.length;
  return (
    <Places.Provider value={{ wordsAt, maxLengthAt, claim }}>
      <div ref={fields} style={{ display: 'contents' }}>
        {children}
      </div>
      {message !== undefined && (whole || elsewhere.length > 0) && (
        <Problem message={whole ? message : elsewhere.map(({ sentence }) => sentence).join(' ')} hint={recoveryHint} />
      )}
    </Places.Provider>
  );
}

/** The pointers of the fields that are so. */
function pointersOf(form: HTMLElement | null, so: (field: HTMLElement) => boolean): string[] {
  const fields = [...(form?.querySelectorAll<HTMLElement>('[data-pointer]') ?? [])];
  return fields.filter(so).map(({ dataset }) => dataset.pointer ?? '');
}

function isEmpty(field: HTMLElement): boolean {
  const typed = field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement;
  return typed ? field.value.trim() === '' : !field.querySelector(':checked');
}

const isWrong = (field: HTMLElement) =>
  field.matches('[aria-invalid=true]') || (field.matches('[aria-required=true]') && isEmpty(field));

function isWithin(path: string, pointer: string): boolean {
  return path === pointer || path.startsWith(`${pointer}/`);
}

interface ErrorAtProps {
  /** The JSON pointer of the field's value. */
  pointer: string;
  /** The field; it takes its error like any other. */
  children: ReactElement<FieldAt>;
}

/** The properties that a field gets from its form. */
interface FieldAt {
  error?: ReactNode;
  maxLength?: number;
  'data-pointer'?: string;
}

/** A field that shows the errors at its pointer, and takes as many characters as may be there. */
export function ErrorAt({ pointer, children }: ErrorAtProps) {
  return cloneElement(children, useFieldAt(pointer));
}

/** The error at a pointer, and the number of characters that may be there. */
export function useFieldAt(pointer: string): FieldAt {
  const place = useContext(Places);
  const claim = place?.claim;
  useEffect(() => claim?.(pointer), [claim, pointer]);
  const words = place?.wordsAt(pointer);
  const error = words === undefined ? undefined : { error: words };
  const maxLength = place?.maxLengthAt?.(pointer);
  return { ...error, ...(maxLength !== undefined && { maxLength }), 'data-pointer': pointer };
}
