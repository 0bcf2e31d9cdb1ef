import { type Messages, setupI18n } from '@lingui/core';
import { compileMessage } from '@lingui/message-utils/compileMessage';

/** The languages of the window. English is the one it is written in: its words are the names of all others. */
export type Language = 'en' | 'de';

/** A choice of language: one of them, or the language of the computer. */
export type LanguageChoice = Language | 'system';

/** By language: what loads the words that an application says. */
export type Words = Partial<Record<Exclude<Language, 'en'>, () => Promise<{ messages: Messages }>>>;

/** The words of the page kit. */
const kit: Required<Words> = { de: () => import('./de.po') };

/** The words of the application: the window speaks the languages that it has words in. */
let application: Words = {};

/** The storage key of the choice, known before anyone signs in. */
const KEPT = 'deskhand-language';

const compiled = new Map<string, ReturnType<typeof compileMessage>>();

/** Every word a person reads comes through here: i18n._('Try again'). */
export const i18n = setupI18n({ locale: 'en', messages: { en: {} } });
i18n.setMessagesCompiler((message) => {
  let found = compiled.get(message);
  if (found === undefined) {
    found = compileMessage(message);
    compiled.set(message, found);
  }
  return found;
});

/** The language for a choice: the computer's if the window speaks it, else English. */
export function languageFor(choice: LanguageChoice, system: readonly string[], words: Words = application): Language {
  if (choice !== 'system') return Object.hasOwn(words, choice) ? choice : 'en';
  const known = system
    .map((tag) => tag.slice(0, 2).toLowerCase())
    .find((tag) => tag === 'en' || Object.hasOwn(words, tag));
  return (known ?? 'en') as Language;
}

/**
 * The locale for numbers and days of a language: the system's, without its variants (under POSIX
 * dollars would be written "$ 4.95"), where the system speaks that language.
 */
export function localeOf(language: string): string {
  const system = new Intl.Locale(new Intl.NumberFormat().resolvedOptions().locale);
  return system.language === language ? system.baseName : language;
}

/** The choices by name. A language is written in itself: a person who looks for it may not read the others. */
export const languages = (): Record<LanguageChoice, string> => ({
  system: i18n._('As the computer does'),
  en: 'English',
  de: 'Deutsch',
});

/** Whether it is one of the choices. */
export function isChoice(value: unknown): value is LanguageChoice {
  return value === 'system' || value === 'en' || (typeof value === 'string' && Object.hasOwn(kit, value));
}

/** The choice when the window was last open. */
export function keptChoice(storage: Pick<Storage, 'getItem'> = localStorage): LanguageChoice {
  const kept = storage.getItem(KEPT);
  return isChoice(kept) ? kept : 'system';
}

/**
 * Speaks the language that was chosen, if the application has words in it. Words are read when a module is loaded: call
 * it before the rest is.
 */
export async function speak(choice: LanguageChoice, words: Words = {}): Promise<void> {
  application = words;
  const language = languageFor(choice, navigator.languages);
  if (language !== 'en') {
    const all = await Promise.all([kit[language](), application[language]?.()]);
    for (const part of all) if (part) i18n.load(language, part.messages);
  }
  i18n.activate(language);
  document.documentElement.lang = language;
}

/**
 * Keeps another choice; true when the window has to load again to speak it. Where there is no room to keep it the
 * window stays as it is: loaded again it would not know the choice.
 */
export function keepChoice(choice: LanguageChoice): boolean {
  try {
    localStorage.setItem(KEPT, choice);
  } catch {
    return false;
  }
  return languageFor(choice, navigator.languages) !== i18n.locale;
}
