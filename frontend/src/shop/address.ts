import { countries } from '../language/codes';
import { i18n } from '../language/i18n';
import type { Field } from '../ui/form/fields';

/** The parts of a postal address. */
export type AddressPart = 'label' | 'line1' | 'line2' | 'city' | 'region' | 'postalCode' | 'country';

/** The fields of a postal address, in the order people say them. */
export const addressFields: readonly Field<AddressPart>[] = [
  { name: 'label', label: i18n._('Label'), placeholder: 'Home, Work …' },
  { name: 'line1', label: i18n._('Street'), required: true },
  { name: 'line2', label: i18n._('Street, second line') },
  { name: 'city', label: i18n._('City'), required: true, half: true },
  { name: 'region', label: i18n._('State or province'), half: true },
  { name: 'postalCode', label: i18n._('Postal code'), required: true, half: true },
  { name: 'country', label: i18n._('Country'), required: true, choices: countries, half: true },
];

/** An address as it is sent: trimmed, without empty parts. */
export interface Address {
  label?: string;
  line1: string;
  line2?: string;
  city: string;
  region?: string;
  postalCode: string;
  country: string;
}

/** The address that was typed. */
export function addressOf(draft: Readonly<Record<AddressPart, string>>): Address {
  const text = (part: AddressPart) => draft[part].trim();
  return {
    label: text('label') || undefined,
    line1: text('line1'),
    line2: text('line2') || undefined,
    city: text('city'),
    region: text('region') || undefined,
    postalCode: text('postalCode'),
    country: text('country'),
  };
}
