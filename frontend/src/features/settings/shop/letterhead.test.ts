import { expect, it } from 'vitest';
import { letterhead } from './Shop';

it('is the name, the lines of the address, and what else is filled in', () =>
  expect(
    letterhead({
      ...{ name: 'Corner Shop ', address: 'Hauptstr. 1\n\n10115 Berlin', phone: '' },
      ...{ email: 'laden@example.com', taxNumber: 'DE1', footer: 'Danke' },
    }),
  ).toEqual(['Corner Shop', 'Hauptstr. 1', '10115 Berlin', 'laden@example.com', 'DE1']));
