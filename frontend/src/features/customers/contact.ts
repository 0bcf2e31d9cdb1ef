import { i18n } from '../../language/i18n';
import type { Field } from '../../ui/form/fields';

/** The contact fields of a person. */
export type ContactPart = 'name' | 'email' | 'phone';

export const contactFields: readonly Field<ContactPart>[] = [
  { name: 'name', label: i18n._('Name'), required: true },
  { name: 'email', label: i18n._('Email'), inputMode: 'email' },
  { name: 'phone', label: i18n._('Phone'), inputMode: 'tel' },
];
