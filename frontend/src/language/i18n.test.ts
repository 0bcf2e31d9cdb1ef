// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { i18n, isChoice, keepChoice, keptChoice, languageFor, speak } from './i18n';

/** The words of an application with German. */
const german = { de: async () => ({ messages: { Queue: ['Schlange'] } }) };

describe('the language for a choice', () => {
  it.each([
    ['the chosen one', 'de', ['en-US'], 'de'],
    ['English, chosen on a German computer', 'en', ['de-DE'], 'en'],
    ["the computer's first", 'system', ['de-AT', 'en'], 'de'],
    ["the computer's first that is spoken here", 'system', ['fr-FR', 'de', 'en'], 'de'],
    ['English before German, as the computer has it', 'system', ['en-GB', 'de'], 'en'],
    ['a tag in capitals', 'system', ['DE'], 'de'],
    ['English where none is spoken', 'system', ['fr', 'ja-JP'], 'en'],
    ['English where the computer says nothing', 'system', [], 'en'],
  ] as const)('is %s', (_, choice, system, language) => expect(languageFor(choice, system, german)).toBe(language));

  it('is English where the application has no words in another', () => {
    expect(languageFor('de', ['de'], {})).toBe('en');
    expect(languageFor('system', ['de'], {})).toBe('en');
  });
});

describe('what may be chosen', () => {
  it.each(['system', 'en', 'de'])('is %s', (value) => expect(isChoice(value)).toBe(true));
  it.each(['fr', '', 'toString', null, undefined, 1])('is not %s', (value) => expect(isChoice(value)).toBe(false));
});

describe('the choice that was kept', () => {
  const kept = (value: string | null) => keptChoice({ getItem: () => value });
  it('is what was chosen', () => expect(kept('de')).toBe('de'));
  it('is the computer’s when nothing was', () => expect(kept(null)).toBe('system'));
  it('is the computer’s when it is not understood', () => expect(kept('klingon')).toBe('system'));
});

describe('another choice', () => {
  beforeEach(async () => {
    localStorage.clear();
    await speak('en', german);
  });
  afterEach(() => speak('en'));

  it('is kept, and takes a window opened anew', () => {
    expect(keepChoice('de')).toBe(true);
    expect(keptChoice()).toBe('de');
  });

  it('takes none where the language stays', () => {
    expect(keepChoice('en')).toBe(false);
    expect(keptChoice()).toBe('en');
  });

  it('takes no window opened anew where there is no room to keep it', () => {
    const full = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('There is no room.', 'QuotaExceededError');
    });
    expect(keepChoice('de')).toBe(false);
    full.mockRestore();
  });

  it('is spoken, and the page says which it is', async () => {
    await speak('de', german);
    expect(i18n.locale).toBe('de');
    expect([i18n._('Queue'), i18n._('Try again')]).toEqual(['Schlange', 'Erneut versuchen']);
    expect(document.documentElement.lang).toBe('de');
  });
});
