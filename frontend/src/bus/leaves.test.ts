import { expect, it } from 'vitest';
import { leavesText } from './leaves';

it('names what leaves the computer once, and in words', () => {
  expect(leavesText(['city', 'line1', 'email', 'name', 'title', 'birthDay'])).toBe(
    'addresses, birth day, e-mail addresses, names',
  );
  expect(leavesText()).toBe('');
});
