import { humanize } from '../ui/format';

/** How the fields that say something about people are called together. What is not listed reads by its own name. */
const kinds: Readonly<Record<string, string>> = {
  ...{ name: 'names', title: 'names', subtitle: 'names', 'customer name': 'names' },
  ...{ email: 'e-mail addresses', to: 'e-mail addresses', recipient: 'e-mail addresses', phone: 'phone numbers' },
  ...{ 'line 1': 'addresses', 'line 2': 'addresses', city: 'addresses', region: 'addresses', country: 'addresses' },
  ...{ 'postal code': 'addresses', text: 'addresses' },
  ...{ 'last four': 'the last digits of cards', label: 'the last digits of cards' },
};

/** What a model elsewhere may be told of people, in words; empty when nothing. */
export function leavesText(fields: readonly string[] = []): string {
  const words = new Set(fields.map((field) => humanize(field).toLowerCase()).map((field) => kinds[field] ?? field));
  return [...words].sort().join(', ');
}
