import { humanize } from '../ui/format';

/** How the fields that say something about people are called together. What is not listed reads by its own name. */
const kinds: Readonly<Record<string, string>> = {
  ...{ name: 'names', title: 'names', subtitle: 'names', customerName: 'names' },
  ...{ email: 'e-mail addresses', to: 'e-mail addresses', recipient: 'e-mail addresses', phone: 'phone numbers' },
  ...{ line1: 'addresses', line2: 'addresses', city: 'addresses', region: 'addresses', postalCode: 'addresses' },
  ...{ text: 'addresses', country: 'addresses' },
  ...{ lastFour: 'the last digits of cards', label: 'the last digits of cards' },
};

/** What a model elsewhere may be told of people, in words; empty when nothing. */
export function leavesText(fields: readonly string[] = []): string {
  const words = new Set(fields.map((field) => kinds[field] ?? humanize(field).toLowerCase()));
  return [...words].sort().join(', ');
}
