import { expect, it } from 'vitest';
import { leavesText } from './whatLeaves';

it('names what leaves the computer once, and in words', () => {
  expect(leavesText(['City', 'Line 1', 'Email', 'Name', 'Title', 'Birth day'])).toBe(
    'addresses, birth day, e-mail addresses, names',
  );
  expect(leavesText()).toBe('');
});
