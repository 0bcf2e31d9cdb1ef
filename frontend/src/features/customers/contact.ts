import type { Field } from '../../ui/fields';

/** How somebody is called and reached. */
export type ContactPart = 'name' | 'email' | 'phone';

export const contactFields: readonly Field<ContactPart>[] = [
  { name: 'name', label: 'Name', required: true, maxLength: 120 },
  { name: 'email', label: 'Email', inputMode: 'email', maxLength: 254 },
  { name: 'phone', label: 'Phone', inputMode: 'tel', maxLength: 40 },
];
