import { i18n } from '../../language/language';
import type { Field } from '../../ui/fields';

/** How somebody is called and reached. */
export type ContactPart = 'name' | 'email' | 'phone';

export const contactFields: readonly Field<ContactPart>[] = [
  { name: 'name', label: i18n._('Name'), required: true, maxLength: 120 },
  { name: 'email', label: i18n._('Email'), inputMode: 'email', maxLength: 254 },
  { name: 'phone', label: i18n._('Phone'), inputMode: 'tel', maxLength: 40 },
];
