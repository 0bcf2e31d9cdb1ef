import { expect, it } from 'vitest';
import { personalFieldsText } from './whatLeaves';

it('names what leaves the computer once, and in words', () => {
  expect(personalFieldsText(['City', 'Line 1', 'Email', 'Name', 'Title', 'Birth day'])).toBe(
    'addresses, birth day, e-mail addresses, names',
  );
  expect(personalFieldsText()).toBe('');
});
