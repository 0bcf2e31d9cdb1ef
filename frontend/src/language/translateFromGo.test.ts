import { setupI18n } from '@lingui/core';
import { compileMessage } from '@lingui/message-utils/compileMessage';
import { describe, expect, it } from 'vitest';
import { translateDates, translatorOf } from './translateFromGo';

const words: Record<string, string> = {
  'The cart is empty.': 'Der Korb ist leer.',
  'There is no open cart.': 'Es ist kein Korb offen.',
  "{0}'s cart": 'Korb von {0}',
  '{0} was submitted.': '{0} ist bestellt.',
  'Order {0} of {1} is {2}.': 'Bestellung {0} von {1} ist {2}.',
  'Order {0} of {1} is paid by {2}.': 'Bestellung {0} von {1} zahlt {2}.',
  pending: 'offen',
  'Adjust the stock of {0} from {1, number} to {2, number}': 'Bestand von {0}: {1, number} statt {2, number}',
  '{0, number} left': '{0, plural, one {noch # Stück} other {noch # Stück}}',
  'There is no "{0}".': '„{0}“ gibt es nicht.',
  "Write '{}' here.": "Schreiben Sie '{}' hier.",
  "Write '{'{0}'}'.": "Schreiben Sie '{'{0}'}'.",
  'Cancel an order': 'Bestellung stornieren',
  'up to {0} in total': 'insgesamt bis {0}',
  'in one conversation': 'in einem Gespräch',
  'The endpoint is busy.{0} Try again later.': 'Ausgelastet.{0} Später noch einmal.',
  'It says: {0}.': 'Es sagt: {0}.',
  '{name} was saved.': '{name} ist gespeichert.',
};
const de = setupI18n({ locale: 'de', messages: { de: words } });
de.setMessagesCompiler((message) => compileMessage(message));
const say = translatorOf(Object.keys(words), (key, values) => de._(key, values));

describe('what the application says, in another language', () => {
  it.each([
    ['a known sentence', 'The cart is empty.', 'Der Korb ist leer.'],
    ['an unknown one, as it is', 'Nobody knows this.', 'Nobody knows this.'],
    ['nothing', '', ''],
    ['a gap', "Ana Ruiz's cart", 'Korb von Ana Ruiz'],
    ['a name of words of the catalogue', "pending, delivered's cart", 'Korb von pending, delivered'],
    ['a phrase in a gap', "Ana's cart was submitted.", 'Korb von Ana ist bestellt.'],
    ['the closer of two templates', 'Order 1 of Ana is paid by Visa.', 'Bestellung 1 von Ana zahlt Visa.'],
    ['a word in a gap', 'Order 1 of Ana is pending.', 'Bestellung 1 von Ana ist offen.'],
    ['numbers as they are written here', 'Adjust the stock of Guji from 1200 to 9', 'Bestand von Guji: 1.200 statt 9'],
    [
      'a name that holds the words after its gap',
      'Adjust the stock of Coffee from Peru from 3 to 12',
      'Bestand von Coffee from Peru: 3 statt 12',
    ],
    ['no word where a number must be', 'None left', 'None left'],
    ['a plural', '3 left', 'noch 3 Stück'],
    ['quotes', 'There is no "Guji".', '„Guji“ gibt es nicht.'],
    ['several sentences', 'There is no open cart. The cart is empty.', 'Es ist kein Korb offen. Der Korb ist leer.'],
    ['known sentences beside unknown ones', 'Who knows? The cart is empty.', 'Who knows? Der Korb ist leer.'],
    ['a list', 'The cart is empty.; 2 left', 'Der Korb ist leer.; noch 2 Stück'],
    [
      'a title and what follows it',
      'Cancel an order: up to $5.00 in total, in one conversation',
      'Bestellung stornieren: insgesamt bis $5.00, in einem Gespräch',
    ],
    ['an empty gap', 'The endpoint is busy. Try again later.', 'Ausgelastet. Später noch einmal.'],
    [
      'a gap with its own space',
      'The endpoint is busy. It says: full. Try again later.',
      'Ausgelastet. Es sagt: full. Später noch einmal.',
    ],
    ['the space around it', '  The cart is empty.\n', '  Der Korb ist leer.\n'],
    ['braces', 'Write {} here.', 'Schreiben Sie {} hier.'],
    ['a gap in braces', 'Write {this}.', 'Schreiben Sie {this}.'],
    ['no message of the window itself', 'Ana was saved.', 'Ana was saved.'],
  ])('says %s', (_, text, german) => expect(say(text)).toBe(german));

  it('gives up on a text made to be slow', () => {
    const keys = ['{0} of {1} of {2} of {3} of {4} of {5} ends.'];
    const slow = translatorOf(keys, () => 'found');
    expect(slow('a of a of a of a of a of a ends.')).toBe('found');
    expect(slow(`${'a of '.repeat(4000)}a ends!`)).toMatch(/ends!$/);
  });

  it('asks the catalogue once for the same text', () => {
    let asked = 0;
    const keys = Array.from({ length: 600 }, (_, i) => `The shelf {0} number ${i} is full.`);
    const counting = translatorOf(keys, (key) => `${++asked} ${key}`);
    const first = counting('The shelf A number 599 is full.');
    expect(counting('The shelf A number 599 is full.')).toBe(first);
    expect(asked).toBe(1);
  });
});

describe('a day in a text', () => {
  it.each([
    ['until Monday, 2 March 2026, 17:00', 'until Montag, 2. März 2026, 17:00'],
    ['1 January 2026 to 31 December 2026', '1. Januar 2026 to 31. Dezember 2026'],
    ['12 Main St, 2 Marches of 2026', '12 Main St, 2 Marches of 2026'],
  ])('is written as the language writes it: %s', (english, german) =>
    expect(translateDates(english, 'de')).toBe(german),
  );
});
