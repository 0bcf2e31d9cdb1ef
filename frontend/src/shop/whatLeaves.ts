import { inSentence, wordsOf } from '../language/format';
import { i18n } from '../language/i18n';

/** How the fields that say something about people are called together. What is not listed reads by its own name. */
const kinds: Readonly<Record<string, string>> = {
  ...{ name: i18n._('names'), title: i18n._('names'), subtitle: i18n._('names'), 'customer name': i18n._('names') },
  ...{
    email: i18n._('e-mail addresses'),
    to: i18n._('e-mail addresses'),
    recipient: i18n._('e-mail addresses'),
    phone: i18n._('phone numbers'),
  },
  ...{
    'line 1': i18n._('addresses'),
    'line 2': i18n._('addresses'),
    city: i18n._('addresses'),
    region: i18n._('addresses'),
    country: i18n._('addresses'),
  },
  ...{ 'postal code': i18n._('addresses'), text: i18n._('addresses') },
  ...{ 'last four': i18n._('the last digits of cards'), label: i18n._('the last digits of cards') },
};

/** What a model elsewhere may be told of people, in words; empty when nothing. */
export function personalFieldsText(fields: readonly string[] = []): string {
  const words = new Set(fields.map((field) => kinds[wordsOf(field)] ?? inSentence(field)));
  return [...words].sort().join(', ');
}
