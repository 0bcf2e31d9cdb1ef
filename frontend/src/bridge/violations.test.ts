import { describe, expect, it } from 'vitest';
import { BusError } from './error';
import { fieldErrors, fieldErrorsText } from './violations';

describe('fieldErrorsText', () => {
  it.each([
    ['too little', '/quantity', 'minimum: got 0, want 1', 'Quantity: must be at least 1.'],
    ['too much', '/limit', 'maximum: got 9,999, want 200', 'Limit: must be at most 200.'],
    ['no text', '/name', 'minLength: got 0, want 1', 'Name: is needed.'],
    ['a long text', '/giftMessage', 'maxLength: got 900, want 500', 'Gift message: must have at most 500 characters.'],
    ['a fraction', '/quantity', 'got number, want integer', 'Quantity: must be a whole number.'],
    ['no address of mail', '/email', "'x' is not valid email: missing @", 'Email: must be an e-mail address.'],
    ['another word', '/reason', "value must be one of 'a', 'b'", 'Reason: must be one of a, b.'],
    ['an absent field', '', "missing property 'quantity'", 'Quantity: is needed.'],
    [
      'absent fields within',
      '/address',
      "missing properties 'line1', 'city'",
      'Address, Line 1: is needed. Address, City: is needed.',
    ],
    ['an unknown field', '', "additional properties 'foo' not allowed", 'foo is not known here.'],
    ['a place in a list', '/lines/0/quantity', 'minimum: got 0, want 1', 'Lines, 1, Quantity: must be at least 1.'],
    ['words it does not know', '/x', 'is odd', 'X: is odd.'],
  ])('says %s', (_, path, message, text) => expect(fieldErrorsText([{ path, message }])).toBe(text));
});

describe('fieldErrors', () => {
  it('puts an absent field at its own place', () =>
    expect(fieldErrors([{ path: '/address', message: "missing property 'city'" }])).toEqual([
      { path: '/address/city', words: 'is needed' },
    ]));
});

describe('BusError', () => {
  const failure = { code: 'VALIDATION', reason: 'arguments', retryable: false } as const;
  it('says what does not fit, per field', () => {
    const message = 'The arguments do not fit cart.setQuantity: /quantity: minimum: got 0, want 1.';
    const violations = [{ path: '/quantity', message: 'minimum: got 0, want 1' }];
    const error = new BusError({
      ...failure,
      message,
      violations,
      recovery_hint: 'Correct the arguments by the schema.',
    });
    expect(error.message).toBe('Quantity: must be at least 1.');
    expect(error.recoveryHint, 'a hint for a program').toBeUndefined();
  });
  it('keeps what the application says of a place, and what mends it', () => {
    const message = 'shop.json was not imported. Line 3, /shop/name: The name is missing.';
    const violations = [{ path: '/shop/name', message: 'Line 3, /shop/name: The name is missing.' }];
    const told = (recovery_hint: string) => new BusError({ ...failure, message, violations, recovery_hint });
    expect(told('Import it again.')).toMatchObject({ message, recoveryHint: 'Import it again.' });
    expect(told('Correct /shop/name and try again.').recoveryHint).toBeUndefined();
  });
  it('tells where what does not fit stands', () =>
    expect(
      new BusError({ ...failure, message: '', violations: [{ path: '/email', message: "'x' is not valid email: y" }] })
        .fieldErrors,
    ).toEqual([{ path: '/email', words: 'must be an e-mail address', sentence: 'Email: must be an e-mail address.' }]));
  it('says a whole sentence as it is', () =>
    expect(
      new BusError({ ...failure, message: '', violations: [{ path: '/name', message: 'The name is empty.' }] })
        .fieldErrors,
    ).toEqual([{ path: '/name', words: 'The name is empty.', sentence: 'The name is empty.' }]));
  it('blames no field for an answer that does not fit', () => {
    const violations = [{ path: '/name', message: 'minLength: got 0, want 1' }];
    expect(new BusError({ ...failure, code: 'INTERNAL', message: '', violations }).fieldErrors).toEqual([]);
  });
  it('keeps the words of any other failure', () =>
    expect(new BusError({ ...failure, message: 'Too late.', violations: [] }).message).toBe('Too late.'));
});
