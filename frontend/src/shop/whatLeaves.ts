import { inSentence, wordsOf } from '../language/format';
import { i18n } from '../language/i18n';
import { own } from '../language/own';

/** The common names of personal fields. A field that is not listed reads by its own name. */
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

/** The personal fields that a remote model is told, in words; empty when there are none. */
export function personalFieldsText(fields: readonly string[] = []): string {
  const words = new Set(fields.map((field) => own(kinds, wordsOf(field)) ?? inSentence(field)));
  return [...words].sort().join(', ');
}
