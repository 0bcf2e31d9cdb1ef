import { i18n } from '../../language/i18n';
import type { NumberLimits } from '../../language/numbers';

/** A text in a form, of one line unless it says how many. */
export interface Field<K extends string = string> {
  name: K;
  label: string;
  required?: boolean;
  placeholder?: string;
  /** The kind of screen keyboard. */
  inputMode?: 'text' | 'email' | 'tel' | 'numeric';
  /** Takes half of the width. */
  half?: boolean;
  /** The height of a text of several lines. */
  lines?: number;
  description?: string;
  /** It is a number within limits: its text is the number as a program writes it, or empty. */
  number?: NumberLimits;
  /** It is one of these. */
  choices?: () => { value: string; label: string }[];
}

/** The typed text, by field. */
export type Draft<K extends string> = Readonly<Record<K, string>>;

/** A draft with the known values. */
export function draftOf<K extends string>(
  fields: readonly Field<K>[],
  known: Partial<Record<K, string>> = {},
): Draft<K> {
  return Object.fromEntries(fields.map(({ name }) => [name, known[name] ?? ''])) as Draft<K>;
}

/** The required fields that are empty, as a sentence; undefined when none is. */
export function missing<K extends string>(fields: readonly Field<K>[], draft: Draft<K>): string | undefined {
  const empty = fields.filter(({ name, required }) => required && draft[name].trim() === '');
  return empty.length === 0
    ? undefined
    : i18n._('Fill in: {fields}.', { fields: empty.map(({ label }) => label).join(', ') });
}

/** The typed text, without empty fields. */
export function filled<K extends string>(draft: Draft<K>): Partial<Record<K, string>> {
  const entries = Object.entries<string>(draft).map(([name, value]) => [name, value.trim()] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== '')) as Partial<Record<K, string>>;
}
