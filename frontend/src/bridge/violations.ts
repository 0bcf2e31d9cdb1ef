import { humanize } from '../language/format';
import { i18n } from '../language/i18n';
import { translateFromGo } from '../language/translateFromGo';
import type { Violation } from './wire';

/*
 * The validator of the application speaks of keywords. Where a phrase is not
 * known here it stands as it came, after the field's name: nothing is hidden.
 */
const phrases: readonly [RegExp, (found: string[]) => string][] = [
  [/^minimum: got .*, want (.+)$/, ([least]) => i18n._('must be at least {least}', { least })],
  [/^maximum: got .*, want (.+)$/, ([most]) => i18n._('must be at most {most}', { most })],
  [/^minLength: got .*, want 1$/, () => i18n._('is needed')],
  [/^minLength: got .*, want (.+)$/, ([least]) => i18n._('must have at least {least} characters', { least })],
  [/^maxLength: got .*, want (.+)$/, ([most]) => i18n._('must have at most {most} characters', { most })],
  [/^minItems: got .*, want (.+)$/, ([least]) => i18n._('needs at least {least}', { least })],
  [/^maxItems: got .*, want (.+)$/, ([most]) => i18n._('takes at most {most}', { most })],
  [/^got .*, want integer$/, () => i18n._('must be a whole number')],
  [/^got .*, want number$/, () => i18n._('must be a number')],
  [/^got .*, want string$/, () => i18n._('must be a text')],
  [/^got .*, want boolean$/, () => i18n._('must be yes or no')],
  [/ is not valid email: /, () => i18n._('must be an e-mail address')],
  [/ is not valid date: /, () => i18n._('must be a date such as 2026-11-20')],
  [
    /^value must be one of (.+)$/,
    ([choices = '']) => i18n._('must be one of {choices}', { choices: choices.replaceAll("'", '') }),
  ],
];

/** One violation, at its field. */
interface FieldError {
  path: string;
  words: string;
}

/** The errors of each field; a missing field has its own, not its parent. */
export function fieldErrors(violations: readonly Violation[]): FieldError[] {
  return violations.flatMap(({ path, message }): FieldError[] => {
    const absent = /^missing propert(?:y|ies) (.+)$/.exec(message)?.[1];
    if (absent) {
      return [...absent.matchAll(/'([^']+)'/g)].map(([, name]) => ({
        path: `${path}/${name}`,
        words: i18n._('is needed'),
      }));
    }
    const unknown = /^additional properties (.+) not allowed$/.exec(message)?.[1];
    if (unknown) return [{ path, words: i18n._('{name} is not known here', { name: unknown.replaceAll("'", '') }) }];
    for (const [pattern, say] of phrases) {
      const found = pattern.exec(message);
      if (found) return [{ path, words: say(found.slice(1)) }];
    }
    return [{ path, words: message }];
  });
}

/** A field error as a sentence with the label of the field: "Quantity: must be at least 1." */
export function fieldErrorSentence({ path, words }: FieldError): string {
  if (words.endsWith('.')) return words; // the application's own
  const label = path.split('/').slice(1).map(labelOf).join(', ');
  return `${label ? `${label}: ` : ''}${words}.`;
}

/** All field errors as sentences. */
export function fieldErrorsText(violations: readonly Violation[]): string {
  return fieldErrors(violations).map(fieldErrorSentence).join(' ');
}

/** The parts of a failure that a person reads: of an answer, or of a record. */
interface ReportedFailure {
  code?: string;
  message?: string;
  recovery_hint?: string;
  violations?: readonly Violation[];
}

/**
 * The text of a failure for a person: the application's own words, except for what the
 * validator says of arguments. Whole sentences are the application's own.
 */
export function failureText({ code, message, violations = [], recovery_hint: hint }: ReportedFailure) {
  if (code !== 'VALIDATION' || violations.length === 0) return { message, hint };
  if (violations.every((violation) => violation.message.endsWith('.'))) {
    const isPointer = violations.some(({ path }) => path !== '' && hint?.includes(path));
    return { message, hint: isPointer ? undefined : hint };
  }
  return { message: fieldErrorsText(violations), hint: undefined }; // the hint is for who writes arguments by hand
}

function labelOf(part: string): string {
  return /^\d+$/.test(part) ? String(Number(part) + 1) : translateFromGo(humanize(part));
}
